"""The tables of the audit log; the database itself refuses to change or remove an entry."""

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Double,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    insert,
)

FIRST_HASH = "0" * 64
"""What the first entry is chained to."""

_audit_tables = MetaData()
_NUMBER = BigInteger().with_variant(Integer, "sqlite")

# No name is kept here: it is looked up by the person's id, so that erasing somebody needs no
# change of the log.
audit_log = Table(
    "audit_log",
    _audit_tables,
    Column("id", _NUMBER, primary_key=True, autoincrement=False),
    Column("at", Double, nullable=False),
    Column("person", BigInteger),
    Column("role", String(10), nullable=False),
    Column("via", String(10), nullable=False),
    Column("credential", BigInteger),
    Column("action", String(80), nullable=False),
    Column("campaign", String(40)),
    Column("target", String(80)),
    Column("address", String(80), nullable=False),
    Column("agent", String(200), nullable=False),
    Column("status", Integer),
    Column("before", Text),
    Column("after", Text),
    Column("hash", String(64), nullable=False),
)
Index("audit_log_campaign", audit_log.c.campaign, audit_log.c.id)
Index("audit_log_person", audit_log.c.person, audit_log.c.id)

audit_pending = Table(
    "audit_pending",
    _audit_tables,
    Column("id", _NUMBER, primary_key=True, autoincrement=True),
    Column("at", Double, nullable=False),
    Column("entry", Text, nullable=False),
    sqlite_autoincrement=True,
)
"""What has begun and whose outcome is not known yet."""

audit_head = Table(
    "audit_head",
    _audit_tables,
    Column("entries", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)
"""One row: how many entries there are, and the hash of the last one."""

# An insert out of order would replace an entry: SQLite's INSERT OR REPLACE deletes without asking.
_SQLITE = (
    """CREATE TRIGGER audit_log_update BEFORE UPDATE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END""",
    """CREATE TRIGGER audit_log_delete BEFORE DELETE ON audit_log
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END""",
    """CREATE TRIGGER audit_log_insert BEFORE INSERT ON audit_log
    WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM audit_log)
    BEGIN SELECT RAISE(ABORT, 'the audit log is append-only'); END""",
)
_POSTGRES = (
    """CREATE FUNCTION audit_log_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    RAISE EXCEPTION 'the audit log is append-only'
    USING ERRCODE = 'integrity_constraint_violation'; END $$""",
    """CREATE FUNCTION audit_log_in_order() RETURNS trigger LANGUAGE plpgsql
    SET search_path FROM CURRENT AS $$ BEGIN
    IF NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM audit_log) THEN
    RAISE EXCEPTION 'the audit log is append-only'
    USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN NEW; END $$""",
    """CREATE TRIGGER audit_log_change BEFORE UPDATE OR DELETE ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_refuse()""",
    """CREATE TRIGGER audit_log_truncate BEFORE TRUNCATE ON audit_log
    FOR EACH STATEMENT EXECUTE FUNCTION audit_log_refuse()""",
    """CREATE TRIGGER audit_log_insert BEFORE INSERT ON audit_log
    FOR EACH ROW EXECUTE FUNCTION audit_log_in_order()""",
)


def create_audit_log(connection: Connection) -> None:
    """Create the audit log, empty, and the triggers that keep it append-only."""
    _audit_tables.create_all(connection)
    connection.execute(insert(audit_head).values(entries=0, hash=FIRST_HASH))
    for statement in _SQLITE if connection.dialect.name == "sqlite" else _POSTGRES:
        connection.exec_driver_sql(statement)
