"""`spancrew campaign`: the table of its commands."""

from spancrew.cli import _campaign_access as access
from spancrew.cli import _campaign_admins as admins
from spancrew.cli import _campaign_audit as audit
from spancrew.cli import _campaign_people as people
from spancrew.cli import _campaign_sentences as sentences
from spancrew.cli import _campaign_steering as steering
from spancrew.cli import _campaign_views as views
from spancrew.cli._campaign_steering import list_command, phase_command
from spancrew.cli._command_table import group

campaign = group(
    "campaign",
    "Run live campaigns on a server: everything that its HTTP API can do.",
    {
        "login": access.login,
        "password": access.password,
        "create": steering.create,
        "list": steering.list_,
        "show": steering.show,
        "start": phase_command(
            "Hand out assignments from now on, for the first time or again.",
            lambda campaign: campaign.start(),
            "running",
        ),
        "pause": phase_command(
            "Hand out no assignments until started again; open ones can be answered.",
            lambda campaign: campaign.pause(),
            "paused; 'spancrew campaign start' goes on with it",
        ),
        "finish": phase_command(
            "End a campaign for good; its labels can be exported.",
            lambda campaign: campaign.finish(),
            "finished",
        ),
        "delete": steering.delete,
        "set-budget": steering.set_budget,
        "set-rule": steering.set_rule,
        "workers": people.workers,
        "halt": people.halt,
        "readmit": people.readmit,
        "ban": people.ban,
        "cap": people.cap,
        "experts": list_command(
            "List the experts.", lambda campaign: campaign.people.experts(), views.expert_table
        ),
        "dismiss": people.dismiss,
        "queue": people.queue,
        "sentences": sentences.sentences,
        "add": sentences.add,
        "overrule": sentences.overrule,
        "reopen": sentences.reopen,
        "events": steering.events,
        "why": steering.why,
        "agreement": list_command(
            "Show how much the workers agree.",
            lambda campaign: campaign.agreement(),
            views.agreement_view,
        ),
        "export": steering.export,
        "payments": steering.payments,
        "entry": access.entry,
    },
    group(
        "invite",
        "Make links that let workers and experts in.",
        {
            "worker": people.invite_worker,
            "expert": people.invite_expert,
            "again": people.invite_again,
        },
    ),
    group("member", "Models that answer beside the people.", {"add": people.add_model}),
    group(
        "worker-data",
        "Export or erase all data of one worker.",
        {"export": people.export_data, "erase": people.erase_data},
    ),
    group(
        "webhook",
        "Webhooks: addresses that events are sent to.",
        {
            "add": access.add_webhook,
            "list": list_command(
                "List the addresses that events are sent to.",
                lambda campaign: campaign.webhooks(),
                views.webhook_table,
            ),
            "remove": access.remove_webhook,
            "resume": access.resume_webhook,
            "deliveries": access.list_deliveries,
        },
    ),
    group(
        "audit",
        "The audit log: what admins did.",
        {"list": audit.list_, "export": audit.export, "check": audit.check},
        group(
            "webhook",
            "Send the audit log to another machine.",
            {
                "add": audit.add_webhook,
                "list": audit.list_webhooks,
                "remove": audit.remove_webhook,
                "resume": audit.resume_webhook,
                "deliveries": audit.list_deliveries,
            },
        ),
    ),
    group(
        "admin",
        "Admins: who else runs campaigns on the server.",
        {
            "invite": admins.invite_admin,
            "list": admins.list_admins,
            "set": admins.set_admin,
            "again": admins.invite_admin_again,
            "dismiss": admins.dismiss_admin,
        },
    ),
    group(
        "token",
        "Tokens for programs.",
        {
            "create": access.create_token,
            "list": access.list_tokens,
            "revoke": access.revoke_token,
        },
    ),
)
