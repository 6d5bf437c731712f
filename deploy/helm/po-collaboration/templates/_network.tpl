{{/* One egress rule. Arguments: to (peers; empty = any address), ports, protocols. */}}
{{- define "po.egress" -}}
- ports:
    {{- range $port := .ports }}
    {{- range $.protocols | default (list "TCP") }}
    - port: {{ $port }}
      protocol: {{ . }}
    {{- end }}
    {{- end }}
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "po.kafkaPorts" -}}
{{- $ports := list -}}
{{- range .Values.kafka.brokers }}{{ $ports = append $ports (regexFind "[0-9]+$" . | int) }}{{ end -}}
{{- .Values.networkPolicy.kafka.ports | default (uniq $ports) | toJson -}}
{{- end }}

{{/* Egress rules to DNS and Kafka, which every pod needs, to the given destinations, and extraEgress. Arguments: root, stores { postgresql, redis },
urls by the name of their destination in networkPolicy; empty URLs are left out. */}}
{{- define "po.egressRules" -}}
{{- $policy := .root.Values.networkPolicy -}}
{{ include "po.egress" (dict "to" $policy.dns.to "ports" $policy.dns.ports "protocols" (list "UDP" "TCP")) }}
{{ include "po.egress" (dict "to" $policy.kafka.to "ports" (include "po.kafkaPorts" .root | fromJsonArray)) }}
{{- if .stores.postgresql }}
{{ include "po.egress" $policy.postgresql }}
{{- end }}
{{- if .stores.redis }}
{{ include "po.egress" $policy.redis }}
{{- end }}
{{- range $name, $url := .urls }}
{{- with $url }}
{{- $destination := index $policy $name }}
{{- $parsed := urlParse . }}
{{- $usual := get (dict "https" "443" "http" "80" "smtps" "465" "smtp" "587") $parsed.scheme }}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $parsed.host) | default $usual }}
{{ include "po.egress" (dict "to" $destination.to "ports" ($destination.ports | default (list (int $port)))) }}
{{- end }}
{{- end }}
{{- with $policy.extraEgress }}
{{ toYaml . }}
{{- end }}
{{- end }}
