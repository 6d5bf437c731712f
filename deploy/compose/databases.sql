CREATE DATABASE purchase_orders OWNER po_migrator;
CREATE DATABASE notifications OWNER notifications_migrator;
CREATE DATABASE mail OWNER mail_migrator;
