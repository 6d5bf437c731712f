{{/* Security settings of all pods: an unprivileged user and no access to the cluster's API. */}}
{{- define "po.podSecurity" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: {{ include "po.text" .runAsUser }}
  runAsGroup: {{ include "po.text" .runAsGroup }}
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "po.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  privileged: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop: [ALL]
{{- end }}

{{- define "po.scheduling" -}}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ quote . }}
  {{- end }}
{{- end }}
{{- with .service.priorityClassName }}
priorityClassName: {{ quote . }}
{{- end }}
{{- with .service.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .service.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Connection settings of Kafka. */}}
{{- define "po.kafka" -}}
KAFKA_BROKERS: {{ join "," .Values.kafka.brokers | quote }}
KAFKA_SSL: {{ .Values.kafka.tls | quote }}
{{- with .Values.kafka.saslMechanism }}
KAFKA_SASL_MECHANISM: {{ . | quote }}
{{- end }}
{{- end }}

{{/* Environment variables with values from Secrets. Arguments: { VARIABLE: { name, key } }. */}}
{{- define "po.secrets" -}}
{{- range $variable, $reference := . }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $reference.name | quote }}
      key: {{ $reference.key | quote }}
{{- end }}
{{- end }}

{{/* Environment variables of settings. A variable must not appear twice; a Secret takes precedence. Arguments: config, secrets. */}}
{{- define "po.variables" -}}
{{- range $variable, $value := .config }}
{{- if not (hasKey $.secrets $variable) }}
- name: {{ $variable }}
  {{- /* Kubernetes replaces $(NAME) in a value; $$ stands for $. */}}
  value: {{ include "po.text" $value | replace "$" "$$" | quote }}
{{- end }}
{{- end }}
{{- end }}

{{- define "po.hasTrust" -}}
{{- if or .Values.trust.configMap .Values.trust.secret }}true{{ end -}}
{{- end }}

{{- define "po.trustVariable" -}}
{{- if include "po.hasTrust" . }}
- name: NODE_EXTRA_CA_CERTS
  value: /etc/po/trust/ca.crt
{{- end }}
{{- end }}

{{- define "po.volumeMounts" -}}
- name: tmp
  mountPath: /tmp
{{- if include "po.hasTrust" . }}
- name: trust
  mountPath: /etc/po/trust
  readOnly: true
{{- end }}
{{- end }}

{{- define "po.volumes" -}}
- name: tmp
  emptyDir:
    sizeLimit: 32Mi
{{- with .Values.trust.configMap }}
- name: trust
  configMap:
    name: {{ quote . }}
    items:
      - key: {{ $.Values.trust.key | quote }}
        path: ca.crt
{{- end }}
{{- with .Values.trust.secret }}
- name: trust
  secret:
    secretName: {{ quote . }}
    items:
      - key: {{ $.Values.trust.key | quote }}
        path: ca.crt
{{- end }}
{{- end }}

{{/* Topology spread over zones and nodes. Arguments: root, component, service. */}}
{{- define "po.spread" -}}
{{- range $topology, $spread := dict "topology.kubernetes.io/zone" .service.spread.zones "kubernetes.io/hostname" .service.spread.hosts }}
- topologyKey: {{ $topology }}
  maxSkew: 1
  whenUnsatisfiable: {{ $spread }}
  labelSelector:
    matchLabels:
      {{- include "po.selector" $ | nindent 6 }}
  # Ignore nodes whose taints exclude the pods.
  nodeTaintsPolicy: Honor
  # Ignore pods of earlier revisions, which are being replaced.
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end }}
