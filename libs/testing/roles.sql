-- The database roles of the services, to which migrations grant permissions. Login roles for a local or test server: the password equals
-- the role name. Completes existing roles. Serialized, because roles belong to the whole server and several processes may create them.
BEGIN;
SELECT pg_advisory_xact_lock(7301200);
DO $$
DECLARE
  role text;
BEGIN
  FOREACH role IN ARRAY ARRAY['po_migrator', 'po_internal', 'po_vendor',
                              'notifications_migrator', 'notifications_internal', 'notifications_user',
                              'mail_migrator', 'mail_internal'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('CREATE ROLE %I LOGIN PASSWORD %L', role, role);
    END IF;
    -- Without BYPASSRLS, a migration that updates rows under FORCE ROW LEVEL SECURITY would silently change none. Searches over the orders
    -- of all vendors would be planned without statistics on the searched columns, which PostgreSQL does not use under row-level security.
    IF (role LIKE '%\_migrator' OR role = 'po_internal')
       AND NOT (SELECT rolbypassrls FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('ALTER ROLE %I BYPASSRLS', role);
    END IF;
    -- The creator assigns databases to their owners and inspects them. Unless it is a superuser, PostgreSQL made it a member without SET.
    IF role LIKE '%\_migrator' AND NOT pg_has_role(current_user, role, 'SET') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', role);
    END IF;
  END LOOP;
END
$$;
COMMIT;
