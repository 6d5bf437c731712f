-- The database roles of the services, as migrations grant to them. Login roles of a local or test server: the password is the
-- role's own name. An existing role gets what it lacks. Serialized: roles belong to the whole server and several may create them.
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
    -- A migration that updates rows under FORCE ROW LEVEL SECURITY would change none, in silence. Searches over all vendors' orders
    -- would be planned without the statistics of what they look for, which PostgreSQL does not trust under any policy.
    IF (role LIKE '%\_migrator' OR role = 'po_internal')
       AND NOT (SELECT rolbypassrls FROM pg_roles WHERE rolname = role) THEN
      EXECUTE format('ALTER ROLE %I BYPASSRLS', role);
    END IF;
    -- The creator hands databases over to the owners and inspects them.
    IF role LIKE '%\_migrator' AND NOT pg_has_role(current_user, role, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', role);
    END IF;
  END LOOP;
END
$$;
COMMIT;
