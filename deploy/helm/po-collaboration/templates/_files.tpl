{{/*
Certificates and passwords that pods find in files, which follow the Secrets: nothing is restarted when those change. As JSON, by the store that
they are for: { kafka: [{ variable, file, kind, name, key }] }, each with the setting that is told where it is. Stores without any are absent.
Arguments: root, key (of a service's values, or topics), secrets.
*/}}
{{- define "po.files" -}}
{{- $kafka := .root.Values.kafka -}}
{{- $items := include "po.certificateItems" (dict "prefix" "KAFKA_SSL" "certificates" $kafka.certificates "client" (index $kafka.certificates.clients .key)) | fromJsonArray -}}
{{- with ternary .secrets.KAFKA_SASL_PASSWORD nil (ne $kafka.saslMechanism "") -}}
{{- $items = append $items (merge (dict "variable" "KAFKA_SASL_PASSWORD_FILE" "file" "password" "kind" "secret") .) -}}
{{- end -}}
{{- $files := dict -}}
{{- with $items }}{{ $_ := set $files "kafka" . }}{{ end -}}
{{- toJson $files -}}
{{- end }}

{{/* Of one store. Arguments: prefix (of the settings), certificates (ca and keys, as in values.yaml), client (the Secret's name, or nothing). */}}
{{- define "po.certificateItems" -}}
{{- $items := list -}}
{{- range $kind := list "configMap" "secret" -}}
{{- with index $.certificates.ca $kind -}}
{{- $items = append $items (dict "variable" (printf "%s_CA_FILE" $.prefix) "file" "ca.crt" "kind" $kind "name" . "key" $.certificates.ca.key) -}}
{{- end -}}
{{- end -}}
{{- with .client -}}
{{- $items = append $items (dict "variable" (printf "%s_CERT_FILE" $.prefix) "file" "tls.crt" "kind" "secret" "name" . "key" $.certificates.keys.cert) -}}
{{- $items = append $items (dict "variable" (printf "%s_KEY_FILE" $.prefix) "file" "tls.key" "kind" "secret" "name" . "key" $.certificates.keys.key) -}}
{{- end -}}
{{- toJson $items -}}
{{- end }}

{{/* Settings that say where they are. Arguments: as of po.files. */}}
{{- define "po.fileSettings" -}}
{{- range $store, $items := include "po.files" . | fromJson }}
{{- range $items }}
{{ .variable }}: /etc/po/{{ $store }}/{{ .file }}
{{- end }}
{{- end }}
{{- end }}

{{- define "po.fileMounts" -}}
{{- range $store, $_ := include "po.files" . | fromJson }}
- name: {{ $store }}
  mountPath: /etc/po/{{ $store }}
  readOnly: true
{{- end }}
{{- end }}

{{- define "po.fileVolumes" -}}
{{- range $store, $items := include "po.files" . | fromJson }}
- name: {{ $store }}
  projected:
    sources:
      {{- range $items }}
      - {{ .kind }}:
          name: {{ .name }}
          items:
            - key: {{ .key }}
              path: {{ .file }}
      {{- end }}
{{- end }}
{{- end }}

{{/* Secrets that are in variables: all but those in files. */}}
{{- define "po.variableSecrets" -}}
{{- omit . "KAFKA_SASL_PASSWORD" | toJson -}}
{{- end }}
