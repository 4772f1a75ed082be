-- The key from action_records to actions goes: what deletes actions deletes their records in the same statement. Each new record was held
-- against actions by a query whose plan a session keeps from when that table was small, which made bulks four times as slow until
-- autovacuum had looked at it, and cost as much as writing the record afterwards.

ALTER TABLE action_records DROP CONSTRAINT action_records_user_id_action_id_fkey;
