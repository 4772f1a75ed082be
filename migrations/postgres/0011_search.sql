-- What an index for searches of tasks needs: the extensions pg_trgm and btree_gin, which come with PostgreSQL (Debian: in the server's
-- package) and which a role with CREATE on the database may create. Without them searches find the same, and look at all tasks of the user.
--
-- The index itself is made by a sweep, beside the work, as soon as a user has many tasks (tasks_search.go): each write costs more with it.
DO $$
BEGIN
    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    CREATE EXTENSION IF NOT EXISTS btree_gin;
EXCEPTION
    WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
        RAISE WARNING 'searches of tasks stay slow for users with many of them: %; let the database''s administrator run in this database: CREATE EXTENSION pg_trgm; CREATE EXTENSION btree_gin', SQLERRM;
END
$$;
