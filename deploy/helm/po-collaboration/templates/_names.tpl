{{/* At most 33 characters, so that the longest job name with its hash suffix has at most 63. */}}
{{- define "po.fullname" -}}
{{- $name := .Values.fullnameOverride | default (ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) (contains .Chart.Name .Release.Name)) -}}
{{- $name | trunc 33 | trimSuffix "-" -}}
{{- end }}

{{/* Service names by their keys in the values. */}}
{{- define "po.services" -}}
{ "gateway": "gateway", "purchaseOrders": "purchase-orders", "notifications": "notifications", "dashboard": "dashboard", "mail": "mail" }
{{- end }}

{{/* Selector labels of a component's pods, or without a component, of all pods of the release. */}}
{{- define "po.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- with .component }}
app.kubernetes.io/component: {{ . }}
{{- end }}
{{- end }}

{{/* Arguments: root, component and more, labels of this object alone. */}}
{{- define "po.labels" -}}
{{ include "po.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/part-of: {{ .root.Chart.Name }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{- with merge (dict) (.more | default dict) .root.Values.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "po.serviceAccountName" -}}
{{- .service.serviceAccount.name | default (printf "%s-%s" (include "po.fullname" .root) .component) -}}
{{- end }}

{{- define "po.image" -}}
{{- with .root.Values.image.registry }}{{ trimSuffix "/" . }}/{{ end -}}
{{- .image.repository -}}
{{- if .image.digest }}@{{ .image.digest }}{{ else }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}{{ end -}}
{{- end }}

{{/* A number from values.yaml in plain notation: 1000000 rather than 1e+06, and 0.01. */}}
{{- define "po.text" -}}
{{- if kindIs "float64" . }}{{ ternary (int64 . | toString) (toString .) (eq . (floor .)) }}{{ else }}{{ . }}{{ end -}}
{{- end }}

{{/* Paths that the ingress routes to the gateway, as JSON. */}}
{{- define "po.ingressPaths" -}}
{{- $hasPages := or (eq (.Values.gateway.config.DOCS | default "") "true") (eq (.Values.gateway.config.PORTAL | default "") "true") -}}
{{- $paths := list (.Values.ingress.path | default (ternary "/" "/api" $hasPages)) -}}
{{- /* Target of the links in mails, needed whatever else is served. */ -}}
{{- if and .Values.mail.config.SMTP_URL (not (has "/" $paths)) -}}
{{- $paths = append $paths "/unsubscribe" -}}
{{- end -}}
{{- toJson $paths -}}
{{- end }}

{{/* Rules and dashboards identify the services by these job names. */}}
{{- define "po.jobNames" -}}
- sourceLabels: [__meta_kubernetes_pod_label_app_kubernetes_io_component]
  targetLabel: job
  replacement: po-collaboration/$1
{{- end }}
