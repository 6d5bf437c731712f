{{/* Consumer groups of each service and the topics that they read. */}}
{{- define "po.consumers" -}}
purchase-orders:
  - { group: purchase-orders.inventory, topic: inventory.purchase-orders.v1 }
  - { group: purchase-orders.commands, topic: po.commands.v1 }
  - { group: purchase-orders.queries, topic: po.queries.v1 }
  - { group: purchase-orders.directory, topic: users.directory.v1 }
notifications:
  - { group: notifications.rpc, topic: notifications.rpc.v1 }
  - { group: notifications.events, topic: po.transitions.v1 }
  - { group: notifications.events, topic: po.messages.v1 }
  - { group: notifications.events, topic: po.reminders.v1 }
  - { group: notifications.events, topic: users.directory.v1 }
dashboard:
  - { group: dashboard.rpc, topic: dashboard.rpc.v1 }
  - { group: dashboard.events, topic: po.state.v1 }
mail:
  - { group: mail.rpc, topic: mail.rpc.v1 }
  - { group: mail.events, topic: po.notifications.v1 }
  - { group: mail.events, topic: users.directory.v1 }
{{- end }}

{{/* Kafka connection parameters of a service's KEDA scaler, by kind (secret or configMap), as JSON. Arguments: as for po.files. */}}
{{- define "po.scalerParameters" -}}
{{- $kinds := dict -}}
{{- $names := dict "ca.crt" "ca" "tls.crt" "cert" "tls.key" "key" "password" "password" -}}
{{- $items := (include "po.files" . | fromJson).kafka | default list -}}
{{- $trust := .root.Values.trust -}}
{{- $own := .root.Values.kafka.certificates.ca -}}
{{- if and .root.Values.kafka.tls (not (or $own.configMap $own.secret)) -}}
{{- range $kind := list "configMap" "secret" -}}
{{- with index $trust $kind -}}
{{- $items = append $items (dict "kind" $kind "name" . "key" $trust.key "file" "ca.crt") -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $items -}}
{{- $_ := set $kinds .kind (append (index $kinds .kind | default list) (dict "parameter" (index $names .file) "name" .name "key" .key)) -}}
{{- end -}}
{{- toJson $kinds -}}
{{- end }}
