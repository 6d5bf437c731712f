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

{{- define "po.identityProviderPorts" -}}
{{- $url := urlParse .Values.gateway.config.AUTH_JWKS_URL -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- .Values.networkPolicy.identityProvider.ports | default (list (int $port)) | toJson -}}
{{- end }}

{{/* Ports of the trace collector; empty if none is configured. */}}
{{- define "po.otlpPorts" -}}
{{- with .endpoint -}}
{{- $url := urlParse . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "443" "80" (eq $url.scheme "https")) -}}
{{- $.root.Values.networkPolicy.otlp.ports | default (list (int $port)) | toJson -}}
{{- end -}}
{{- end }}

{{/* Ports of the mail server; empty if none is configured. */}}
{{- define "po.smtpPorts" -}}
{{- with .smtp -}}
{{- $url := urlParse . -}}
{{- $port := regexFind "[0-9]+$" (regexFind ":[0-9]+$" $url.host) | default (ternary "465" "587" (eq $url.scheme "smtps")) -}}
{{- $.root.Values.networkPolicy.smtp.ports | default (list (int $port)) | toJson -}}
{{- end -}}
{{- end }}

{{/* Egress rules to DNS and Kafka, which every pod needs, and to the given destinations. Arguments: root, stores { postgresql, redis,
identityProvider }, endpoint: URL of the trace collector, smtp: URL of the mail server. */}}
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
{{- if .stores.identityProvider }}
{{ include "po.egress" (dict "to" $policy.identityProvider.to "ports" (include "po.identityProviderPorts" .root | fromJsonArray)) }}
{{- end }}
{{- with include "po.otlpPorts" . }}
{{ include "po.egress" (dict "to" $policy.otlp.to "ports" (fromJsonArray .)) }}
{{- end }}
{{- with include "po.smtpPorts" . }}
{{ include "po.egress" (dict "to" $policy.smtp.to "ports" (fromJsonArray .)) }}
{{- end }}
{{- end }}
