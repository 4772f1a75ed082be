-- PostgreSQL alone has something to do: here the key from action_records to actions is held by a look into one index.
SELECT 1;
