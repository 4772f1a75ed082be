-- Users whom the owner has disabled, and the log of what mattered: who, what, when, from where, and what came of it.

ALTER TABLE users ADD COLUMN disabled_at timestamptz;

CREATE TABLE audit_log (
    user_id   uuid        NOT NULL,
    id        uuid        NOT NULL,
    at        timestamptz NOT NULL,
    -- A mutation's name, or what else happened: SIGN_IN, USER_DELETED.
    kind      text        NOT NULL COLLATE "C",
    -- OK, or the code of the error.
    outcome   text        NOT NULL COLLATE "C",
    source    text        NOT NULL COLLATE "C",
    -- Empty where they are not known.
    token     text        NOT NULL,
    client    text        NOT NULL,
    address   text        NOT NULL,
    forget_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, id)
);

CREATE INDEX audit_log_forget ON audit_log (forget_at, user_id, id);

-- When an API token was used last, to the hour, and the addresses and domains (with an @ before them) that it may send e-mail to, with
-- spaces between; empty for all.
ALTER TABLE api_tokens ADD COLUMN last_used_at timestamptz;
ALTER TABLE api_tokens ADD COLUMN recipients text NOT NULL DEFAULT '';
