{{/*
Merged values of one service, as JSON: its own values over the defaults, including the settings and Secrets of all services.
Arguments: root, key.
*/}}
{{- define "po.service" -}}
{{- $service := mustMergeOverwrite (deepCopy .root.Values.defaults) (deepCopy (index .root.Values .key)) -}}
{{- $_ := set $service "secrets" (include "po.mergedSecrets" (dict "root" .root "own" $service) | fromJson) -}}
{{- $_ := set $service "config" (mustMergeOverwrite (deepCopy .root.Values.config) (deepCopy $service.config)) -}}
{{- toJson $service -}}
{{- end }}

{{/* Secrets of a service or job over shared ones. KAFKA_SASL_USERNAME in its config overrides the shared Secret. Arguments: root, own. */}}
{{- define "po.mergedSecrets" -}}
{{- $shared := .root.Values.secrets -}}
{{- if hasKey .own.config "KAFKA_SASL_USERNAME" }}{{ $shared = omit $shared "KAFKA_SASL_USERNAME" }}{{ end -}}
{{- mustMergeOverwrite (deepCopy $shared) (deepCopy .own.secrets) | toJson -}}
{{- end }}

{{/* Whether an autoscaler sets the number of replicas. */}}
{{- define "po.isScaled" -}}
{{- if or .autoscaling.cpu.enabled (dig "lag" "enabled" false .autoscaling) }}true{{ end -}}
{{- end }}

{{- define "po.probe" -}}
httpGet:
  path: {{ .path }}
  port: {{ .port | default "management" }}
{{- range $name, $value := .settings }}
{{ $name }}: {{ include "po.text" $value }}
{{- end }}
{{- end }}

{{- define "po.configData" -}}
{{ include "po.kafka" .root }}
{{- include "po.fileSettings" .files }}
{{- if has .component (list "purchase-orders" "notifications" "mail") }}
PGSSLMODE: {{ .root.Values.postgresql.tls | quote }}
{{- end }}
{{- range $variable, $value := .service.config }}
{{ $variable }}: {{ include "po.text" $value | quote }}
{{- end }}
{{- end }}
