-- How many questions to systems that cost money an API token may put an hour: 0 for no bound of its own, -1 for none.
ALTER TABLE api_tokens ADD COLUMN paid_per_hour INTEGER NOT NULL DEFAULT 0;
