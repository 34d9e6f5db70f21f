"""The tables of journals as queries name them; the steps of the schema make them."""

from sqlalchemy import BigInteger, Float, LargeBinary, Text, column, table

journal = table(
    "journal",
    column("campaign", Text),
    column("version", BigInteger),
    column("at", Float),
    column("kind", Text),
    column("body", Text),
)

kept = table(
    "kept",
    column("campaign", Text),
    column("kind", Text),
    column("version", BigInteger),
    column("data", LargeBinary),
)

sentences = table(
    "sentences",
    column("campaign", Text),
    column("number", BigInteger),
    column("id", Text),
    column("text", Text),
    column("bounds", Text),
    column("gold", Text),
    column("meta", Text),
)
