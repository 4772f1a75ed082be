-- Users whom the owner has disabled, and the log of what mattered: who, what, when, from where, and what came of it.

ALTER TABLE users ADD COLUMN disabled_at INTEGER;

CREATE TABLE audit_log (
    user_id   BLOB    NOT NULL,
    id        BLOB    NOT NULL,
    at        INTEGER NOT NULL,
    -- A mutation's name, or what else happened: SIGN_IN, USER_DELETED.
    kind      TEXT    NOT NULL,
    -- OK, or the code of the error.
    outcome   TEXT    NOT NULL,
    source    TEXT    NOT NULL,
    -- Empty where they are not known.
    token     TEXT    NOT NULL,
    client    TEXT    NOT NULL,
    address   TEXT    NOT NULL,
    forget_at INTEGER NOT NULL,
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX audit_log_forget ON audit_log (forget_at, user_id, id);

-- When an API token was used last, to the hour, and the addresses and domains (with an @ before them) that it may send e-mail to, with
-- spaces between; empty for all.
ALTER TABLE api_tokens ADD COLUMN last_used_at INTEGER;
ALTER TABLE api_tokens ADD COLUMN recipients TEXT NOT NULL DEFAULT '';
