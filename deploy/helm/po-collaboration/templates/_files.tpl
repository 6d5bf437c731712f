{{/* Names of the certificate settings of each store. */}}
{{- define "po.certificateSettings" -}}
kafka: { ca: KAFKA_SSL_CA_FILE, cert: KAFKA_SSL_CERT_FILE, key: KAFKA_SSL_KEY_FILE }
postgresql: { ca: PGSSLROOTCERT, cert: PGSSLCERT, key: PGSSLKEY }
redis: { ca: REDIS_TLS_CA_FILE, cert: REDIS_TLS_CERT_FILE, key: REDIS_TLS_KEY_FILE }
{{- end }}

{{/*
Certificates and passwords that pods read from files. The files follow changes of the Secrets without a restart. As JSON by store:
{ kafka: [{ variable, file, kind, name, key }] }, where variable is the setting for the file's path. Stores without files are absent, and
so are certificates of stores whose clients do not include this one. Arguments: root, key (as in clients), secrets.
*/}}
{{- define "po.files" -}}
{{- $files := dict -}}
{{- range $store, $variables := include "po.certificateSettings" . | fromYaml -}}
{{- $certificates := (index $.root.Values $store).certificates -}}
{{- $items := list -}}
{{- if hasKey $certificates.clients $.key -}}
{{- $items = include "po.certificateItems" (dict "variables" $variables "certificates" $certificates "client" (index $certificates.clients $.key)) | fromJsonArray -}}
{{- end -}}
{{- if and (eq $store "kafka") $.root.Values.kafka.saslMechanism -}}
{{- with $.secrets.KAFKA_SASL_PASSWORD -}}
{{- $items = append $items (merge (dict "variable" "KAFKA_SASL_PASSWORD_FILE" "file" "password" "kind" "secret") .) -}}
{{- end -}}
{{- end -}}
{{- with $items }}{{ $_ := set $files $store . }}{{ end -}}
{{- end -}}
{{- $smtp := list -}}
{{- range $variable, $file := dict "SMTP_PASSWORD_FILE" "password" "DKIM_KEY_FILE" "dkim.key" -}}
{{- with index $.secrets $variable -}}
{{- $smtp = append $smtp (merge (dict "variable" $variable "file" $file "kind" "secret") .) -}}
{{- end -}}
{{- end -}}
{{- with $smtp }}{{ $_ := set $files "smtp" . }}{{ end -}}
{{- toJson $files -}}
{{- end }}

{{/* Certificate files of one store. Arguments: variables (settings), certificates (as in values.yaml), client (Secret or empty). */}}
{{- define "po.certificateItems" -}}
{{- $items := list -}}
{{- range $kind := list "configMap" "secret" -}}
{{- with index $.certificates.ca $kind -}}
{{- $items = append $items (dict "variable" $.variables.ca "file" "ca.crt" "kind" $kind "name" . "key" $.certificates.ca.key) -}}
{{- end -}}
{{- end -}}
{{- with .client -}}
{{- $items = append $items (dict "variable" $.variables.cert "file" "tls.crt" "kind" "secret" "name" . "key" $.certificates.keys.cert) -}}
{{- $items = append $items (dict "variable" $.variables.key "file" "tls.key" "kind" "secret" "name" . "key" $.certificates.keys.key) -}}
{{- end -}}
{{- toJson $items -}}
{{- end }}

{{/* Settings with the paths of the files. Arguments: as for po.files. */}}
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

{{/*
Readable by every user in the container, as is the default for volumes (0644, owned by root); the pod's user is the only user there.
Stricter modes would need an fsGroup, which would also change the volumes in extraVolumes. libpq refuses keys with this mode, but no image
uses libpq.
*/}}
{{- define "po.fileVolumes" -}}
{{- range $store, $items := include "po.files" . | fromJson }}
- name: {{ $store }}
  projected:
    sources:
      {{- range $items }}
      - {{ .kind }}:
          name: {{ .name | quote }}
          items:
            - key: {{ .key | quote }}
              path: {{ .file }}
      {{- end }}
{{- end }}
{{- end }}

{{/* Secrets that are passed in environment variables: all except those in files. */}}
{{- define "po.variableSecrets" -}}
{{- omit . "KAFKA_SASL_PASSWORD" "SMTP_PASSWORD_FILE" "DKIM_KEY_FILE" | toJson -}}
{{- end }}
