{{/* The consumer groups of each service and what they read. */}}
{{- define "po.consumers" -}}
purchase-orders:
  - { group: purchase-orders.inventory, topic: inventory.purchase-orders.v1 }
  - { group: purchase-orders.commands, topic: po.commands.v1 }
  - { group: purchase-orders.queries, topic: po.queries.v1 }
notifications:
  - { group: notifications.rpc, topic: notifications.rpc.v1 }
  - { group: notifications.events, topic: po.transitions.v1 }
  - { group: notifications.events, topic: users.directory.v1 }
dashboard:
  - { group: dashboard.rpc, topic: dashboard.rpc.v1 }
  - { group: dashboard.events, topic: po.state.v1 }
{{- end }}
