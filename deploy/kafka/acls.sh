#!/bin/sh
# Written by npm run docs: what each user may do in Kafka, for a cluster whose users no operator looks after.
#
#   sh deploy/kafka/acls.sh --add --bootstrap-server kafka-0:9093 --command-config admin.properties
#
# All arguments go to each kafka-acls.sh (another command: KAFKA_ACLS); with --remove --force what was added is taken away. Running it again
# changes nothing. Users are called as below unless they are named, as in PO_GATEWAY='User:CN=gateway,O=Example'.
set -eu
acls() { ${KAFKA_ACLS:-kafka-acls.sh} "$@"; }

acls "$@" --allow-principal "${PO_GATEWAY:-User:po-gateway}" --operation Read --operation Write \
  --topic rpc.replies.v1
acls "$@" --allow-principal "${PO_GATEWAY:-User:po-gateway}" --operation Write \
  --topic po.commands.v1 \
  --topic po.queries.v1 \
  --topic notifications.rpc.v1 \
  --topic dashboard.rpc.v1 \
  --topic mail.rpc.v1 \
  --topic users.directory.v1
acls "$@" --allow-principal "${PO_PURCHASE_ORDERS:-User:po-purchase-orders}" --operation Read \
  --topic po.commands.v1 \
  --topic po.queries.v1 \
  --topic inventory.purchase-orders.v1 \
  --topic users.directory.v1
acls "$@" --allow-principal "${PO_PURCHASE_ORDERS:-User:po-purchase-orders}" --operation Write \
  --topic rpc.replies.v1 \
  --topic purchase-orders.inventory.dlq.v1 \
  --topic purchase-orders.directory.dlq.v1 \
  --topic po.transitions.v1 \
  --topic po.state.v1 \
  --topic po.messages.v1 \
  --topic po.reminders.v1
acls "$@" --allow-principal "${PO_PURCHASE_ORDERS:-User:po-purchase-orders}" --resource-pattern-type prefixed --operation Read \
  --group purchase-orders.commands \
  --group purchase-orders.queries \
  --group purchase-orders.inventory \
  --group purchase-orders.directory
acls "$@" --allow-principal "${PO_NOTIFICATIONS:-User:po-notifications}" --operation Read \
  --topic notifications.rpc.v1 \
  --topic po.transitions.v1 \
  --topic po.messages.v1 \
  --topic po.reminders.v1
acls "$@" --allow-principal "${PO_NOTIFICATIONS:-User:po-notifications}" --operation Read --operation Write \
  --topic users.directory.v1
acls "$@" --allow-principal "${PO_NOTIFICATIONS:-User:po-notifications}" --operation Write \
  --topic rpc.replies.v1 \
  --topic notifications.events.dlq.v1 \
  --topic po.notifications.v1
acls "$@" --allow-principal "${PO_NOTIFICATIONS:-User:po-notifications}" --resource-pattern-type prefixed --operation Read \
  --group notifications.rpc \
  --group notifications.events
acls "$@" --allow-principal "${PO_DASHBOARD:-User:po-dashboard}" --operation Read \
  --topic dashboard.rpc.v1 \
  --topic po.state.v1
acls "$@" --allow-principal "${PO_DASHBOARD:-User:po-dashboard}" --operation Read --operation Write \
  --topic rpc.replies.v1
acls "$@" --allow-principal "${PO_DASHBOARD:-User:po-dashboard}" --operation Write \
  --topic dashboard.events.dlq.v1 \
  --topic po.queries.v1
acls "$@" --allow-principal "${PO_DASHBOARD:-User:po-dashboard}" --resource-pattern-type prefixed --operation Read \
  --group dashboard.rpc \
  --group dashboard.events
acls "$@" --allow-principal "${PO_MAIL:-User:po-mail}" --operation Read \
  --topic mail.rpc.v1 \
  --topic po.notifications.v1 \
  --topic users.directory.v1
acls "$@" --allow-principal "${PO_MAIL:-User:po-mail}" --operation Read --operation Write \
  --topic rpc.replies.v1
acls "$@" --allow-principal "${PO_MAIL:-User:po-mail}" --operation Write \
  --topic mail.events.dlq.v1 \
  --topic notifications.rpc.v1
acls "$@" --allow-principal "${PO_MAIL:-User:po-mail}" --resource-pattern-type prefixed --operation Read \
  --group mail.rpc \
  --group mail.events
acls "$@" --allow-principal "${PO_DEAD_LETTERS:-User:po-dead-letters}" --operation Read --operation Write \
  --topic po.state.v1 \
  --topic users.directory.v1
acls "$@" --allow-principal "${PO_DEAD_LETTERS:-User:po-dead-letters}" --operation Read \
  --topic purchase-orders.inventory.dlq.v1 \
  --topic purchase-orders.commands.dlq.v1 \
  --topic purchase-orders.queries.dlq.v1 \
  --topic purchase-orders.directory.dlq.v1 \
  --topic notifications.rpc.dlq.v1 \
  --topic notifications.events.dlq.v1 \
  --topic dashboard.rpc.dlq.v1 \
  --topic dashboard.events.dlq.v1 \
  --topic mail.rpc.dlq.v1 \
  --topic mail.events.dlq.v1
acls "$@" --allow-principal "${PO_DEAD_LETTERS:-User:po-dead-letters}" --operation Write \
  --topic inventory.purchase-orders.v1 \
  --topic po.transitions.v1 \
  --topic po.messages.v1 \
  --topic po.reminders.v1 \
  --topic po.notifications.v1
acls "$@" --allow-principal "${PO_TOPICS:-User:po-topics}" --operation Create --operation Describe --operation DescribeConfigs \
  --topic inventory.purchase-orders.v1 \
  --topic po.commands.v1 \
  --topic po.queries.v1 \
  --topic notifications.rpc.v1 \
  --topic dashboard.rpc.v1 \
  --topic mail.rpc.v1 \
  --topic rpc.replies.v1 \
  --topic po.transitions.v1 \
  --topic po.state.v1 \
  --topic po.messages.v1 \
  --topic po.reminders.v1 \
  --topic po.notifications.v1 \
  --topic users.directory.v1 \
  --topic purchase-orders.inventory.dlq.v1 \
  --topic purchase-orders.commands.dlq.v1 \
  --topic purchase-orders.queries.dlq.v1 \
  --topic purchase-orders.directory.dlq.v1 \
  --topic notifications.rpc.dlq.v1 \
  --topic notifications.events.dlq.v1 \
  --topic dashboard.rpc.dlq.v1 \
  --topic dashboard.events.dlq.v1 \
  --topic mail.rpc.dlq.v1 \
  --topic mail.events.dlq.v1
