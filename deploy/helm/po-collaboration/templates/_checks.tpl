{{/* Checks that a schema cannot express: values that are valid alone but not together. Fails with all problems at once. */}}
{{- define "po.checks" -}}
{{- $problems := list -}}
{{- if not (regexMatch "(?i)^[a-z]([-a-z0-9]*[a-z0-9])?$" (include "po.fullname" .)) -}}
{{- $problems = append $problems (printf "the release's name: Services are named %s, which must start with a letter and have only letters, digits and -; set fullnameOverride" (include "po.fullname" .)) -}}
{{- end -}}
{{- $labels := dict "labels" .Values.labels -}}
{{- range $part := list "serviceMonitor" "podMonitor" "prometheusRule" "grafanaDashboards" -}}
{{- $_ := set $labels (printf "monitoring.%s.labels" $part) (index $.Values.monitoring $part).labels -}}
{{- end -}}
{{- range $at, $texts := $labels -}}
{{- $own := "^(app\\.kubernetes\\.io/(name|instance|component|version|part-of|managed-by)|helm\\.sh/chart|po-collaboration/port)$" -}}
{{- $problems = concat $problems (include "po.keyProblems" (dict "at" $at "texts" $texts "own" $own) | fromJsonArray) -}}
{{- end -}}
{{- $accounts := list -}}
{{- range $key, $component := include "po.services" $ | fromJson -}}
{{- $service := include "po.service" (dict "root" $ "key" $key) | fromJson -}}
{{- $problems = concat $problems (include "po.serviceProblems" (dict "root" $ "key" $key "service" $service) | fromJsonArray) -}}
{{- with and $service.serviceAccount.create $service.serviceAccount.name -}}
{{- if has . $accounts -}}
{{- $problems = append $problems (printf "%s.serviceAccount: another service also creates %s; to share one, use an existing one with create: false" $key .) -}}
{{- end -}}
{{- $accounts = append $accounts . -}}
{{- end -}}
{{- end -}}
{{- if .Values.topics.enabled -}}
{{- $sasl := dict "mechanism" .Values.kafka.saslMechanism "key" "topics" -}}
{{- $_ := set $sasl "config" (merge (dict) .Values.topics.config .Values.config) -}}
{{- $_ := set $sasl "secrets" (merge (dict) .Values.topics.secrets .Values.secrets) -}}
{{- $problems = concat $problems (include "po.saslProblems" $sasl | fromJsonArray) -}}
{{- end -}}
{{- if ne .Values.jobs.resources.requests.memory .Values.jobs.resources.limits.memory -}}
{{- $problems = append $problems "jobs.resources: the memory request must equal the limit" -}}
{{- end -}}
{{- if eq .Values.image.tag "latest" -}}
{{- $problems = append $problems "image.tag: latest is not a fixed version; name a version, or a digest for each service" -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) -}}
{{- $problems = append $problems "ingress.host: needed if the ingress is enabled" -}}
{{- end -}}
{{- $problems = concat $problems (include "po.portalProblems" . | fromJsonArray) -}}
{{- $problems = concat $problems (include "po.mailProblems" .Values.mail | fromJsonArray) -}}
{{- if .Values.networkPolicy.enabled -}}
{{- $type := .Values.gateway.service.type -}}
{{- $hasAddresses := false -}}
{{- range .Values.networkPolicy.gatewayFrom }}{{ if .ipBlock }}{{ $hasAddresses = true }}{{ end }}{{ end -}}
{{- if and (ne $type "ClusterIP") (not $hasAddresses) -}}
{{- $problems = append $problems (printf "networkPolicy.gatewayFrom: gateway.service.type %s needs an ipBlock with the addresses that pods see: those of nodes or load balancers, or of clients where they are preserved" $type) -}}
{{- end -}}
{{- range $store := list "dns" "postgresql" "redis" -}}
{{- if not (dig $store "ports" (list) $.Values.networkPolicy) -}}
{{- $problems = append $problems (printf "networkPolicy.%s.ports: name at least one; a rule without ports allows every port" $store) -}}
{{- end -}}
{{- end -}}
{{- range $name := list "gatewayFrom" "managementFrom" -}}
{{- if not (index $.Values.networkPolicy $name) -}}
{{- $problems = append $problems (printf "networkPolicy.%s: name at least one peer; a rule without peers allows every client" $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $problems = concat $problems (include "po.kafkaProblems" .Values.kafka | fromJsonArray) -}}
{{- if and (eq .Values.postgresql.tls "disable") (include "po.hasCertificates" .Values.postgresql.certificates) -}}
{{- $problems = append $problems "postgresql.certificates: not used with postgresql.tls: disable" -}}
{{- end -}}
{{- range $store := list "kafka" "postgresql" "redis" -}}
{{- $ca := (index $.Values $store).certificates.ca -}}
{{- if and $ca.configMap $ca.secret -}}
{{- $problems = append $problems (printf "%s.certificates.ca: name a configMap or a secret, not both" $store) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.trust.configMap .Values.trust.secret -}}
{{- $problems = append $problems "trust: name a configMap or a secret, not both" -}}
{{- end -}}
{{- if and .Values.monitoring.serviceMonitor.enabled .Values.monitoring.podMonitor.enabled -}}
{{- $problems = append $problems "monitoring: enable serviceMonitor or podMonitor; with both, everything is counted twice" -}}
{{- end -}}
{{- if $problems -}}
{{- fail (printf "\n\nthese values cannot work:\n  %s\n" (join "\n  " $problems)) -}}
{{- end -}}
{{- end }}

{{/* Rejects keys that the chart writes itself: they would appear twice, which strict YAML parsers refuse. Arguments: at, texts, own. */}}
{{- define "po.keyProblems" -}}
{{- $problems := list -}}
{{- range $name, $_ := .texts -}}
{{- if regexMatch $.own $name -}}
{{- $problems = append $problems (printf "%s: the chart writes %s itself" $.at $name) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{- define "po.serviceProblems" -}}
{{- $problems := list -}}
{{- $key := .key -}}
{{- $service := .service -}}
{{- $sasl := dict "mechanism" .root.Values.kafka.saslMechanism "key" $key "config" $service.config "secrets" $service.secrets -}}
{{- $problems = concat $problems (include "po.saslProblems" $sasl | fromJsonArray) -}}
{{- $problems = concat $problems (include "po.imageProblems" . | fromJsonArray) -}}
{{- $podLabels := dict "at" (printf "%s.podLabels" $key) "texts" $service.podLabels "own" "^app\\.kubernetes\\.io/(name|instance|component)$" -}}
{{- $problems = concat $problems (include "po.keyProblems" $podLabels | fromJsonArray) -}}
{{- $podAnnotations := dict "at" (printf "%s.podAnnotations" $key) "texts" $service.podAnnotations "own" "^checksum/config$" -}}
{{- $problems = concat $problems (include "po.keyProblems" $podAnnotations | fromJsonArray) -}}
{{- if not (or $service.serviceAccount.create $service.serviceAccount.name) -}}
{{- $problems = append $problems (printf "%s.serviceAccount.name: needed if create is false" $key) -}}
{{- end -}}
{{- $memory := $service.resources.limits.memory -}}
{{- $mebibytes := trimSuffix "Mi" $memory | trimSuffix "Gi" | int -}}
{{- if hasSuffix "Gi" $memory }}{{ $mebibytes = mul $mebibytes 1024 }}{{ end -}}
{{- if gt (mul (int $service.heap.oldSpace) 4) (mul $mebibytes 3) -}}
{{- $problems = append $problems (printf "%s.heap.oldSpace: %v MiB is more than 75 %% of the memory, %s" $key $service.heap.oldSpace $memory) -}}
{{- end -}}
{{- /* 20 s is the limit for finishing in-flight work, committing offsets and leaving groups. */ -}}
{{- $delay := dig "DRAIN_DELAY_MS" 1000 $service.config | int -}}
{{- $needed := add (div (add $delay 999) 1000) 20 -}}
{{- if lt (int $service.terminationGracePeriodSeconds) (int $needed) -}}
{{- $problems = append $problems (printf "%s.terminationGracePeriodSeconds: at least %d, for DRAIN_DELAY_MS and the 20 s of a drain" $key $needed) -}}
{{- end -}}
{{- $lag := dig "lag" (dict "enabled" false) $service.autoscaling -}}
{{- if and $service.autoscaling.cpu.enabled $lag.enabled -}}
{{- $problems = append $problems (printf "%s.autoscaling: enable cpu or lag; with both, two controllers set the replicas" $key) -}}
{{- end -}}
{{- range $by := list "cpu" "lag" -}}
{{- $scaling := dig $by (dict "enabled" false) $service.autoscaling -}}
{{- if $scaling.enabled -}}
{{- if gt (int $scaling.minReplicas) (int $scaling.maxReplicas) -}}
{{- $problems = append $problems (printf "%s.autoscaling.%s: minReplicas is more than maxReplicas" $key $by) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $files := dict "root" .root "key" $key "secrets" $service.secrets -}}
{{- $component := index (include "po.services" .root | fromJson) $key -}}
{{- $settings := include "po.configData" (dict "root" .root "component" $component "service" $service "files" $files) | fromYaml -}}
{{- $taken := concat (keys $settings) (keys $service.secrets) (list "INSTANCE_ID" "NODE_OPTIONS" "HOST" "PORT" "MANAGEMENT_HOST" "MANAGEMENT_PORT") -}}
{{- if include "po.hasTrust" .root }}{{ $taken = append $taken "NODE_EXTRA_CA_CERTS" }}{{ end -}}
{{- range $service.extraEnv -}}
{{- if has .name $taken -}}
{{- $problems = append $problems (printf "%s.extraEnv: %s is already set by the chart, config or secrets" $key .name) -}}
{{- end -}}
{{- $name := .name -}}
{{- with .value -}}
{{- if or (regexMatch "(?i)(PASSWORD|SECRET|TOKEN|CREDENTIAL|PRIVATE|KEY$)" $name) (regexMatch "://[^/@ ]*:[^/@ ]+@" .) -}}
{{- $problems = append $problems (printf "%s.extraEnv: %s looks like a secret: take it from a Secret, by valueFrom.secretKeyRef" $key $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{/* Problems of the image and memory of a service. Arguments: root, key, service. */}}
{{- define "po.imageProblems" -}}
{{- $problems := list -}}
{{- $service := .service -}}
{{- with $service.image.digest -}}
{{- if regexMatch "^sha256:0+$" . -}}
{{- $problems = append $problems (printf "%s.image.digest: zeros are not the digest of an image" $.key) -}}
{{- end -}}
{{- else -}}
{{- if .root.Values.image.byDigest -}}
{{- $problems = append $problems (printf "%s.image.digest: needed with image.byDigest; npm run supply-chain -- pin-release writes those of a release" .key) -}}
{{- end -}}
{{- end -}}
{{- if ne $service.resources.requests.memory $service.resources.limits.memory -}}
{{- $problems = append $problems (printf "%s.resources: the memory request must equal the limit, %s" .key $service.resources.limits.memory) -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{- define "po.portalProblems" -}}
{{- $problems := list -}}
{{- if eq (.Values.gateway.config.PORTAL | default "") "true" -}}
{{- range $setting := list "PORTAL_OIDC_AUTHORITY" "PORTAL_OIDC_CLIENT_ID" -}}
{{- if not (index $.Values.gateway.config $setting) -}}
{{- $problems = append $problems (printf "gateway.config.%s: needed for the portal" $setting) -}}
{{- end -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not (has .Values.ingress.path (list "" "/"))) -}}
{{- $problems = append $problems (printf "ingress.path: leave it empty with the portal, which is served only at /, not at %s" .Values.ingress.path) -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{/* Rules of the mail service itself, which otherwise exits with code 78. */}}
{{- define "po.mailProblems" -}}
{{- $problems := list -}}
{{- $url := .config.SMTP_URL | default "" -}}
{{- $user := (urlParse $url).userinfo -}}
{{- $hasPassword := hasKey .secrets "SMTP_PASSWORD_FILE" -}}
{{- if $url -}}
{{- range $setting := list "MAIL_FROM" "PUBLIC_URL" -}}
{{- if not (index $.config $setting) -}}
{{- $problems = append $problems (printf "mail.config.%s: needed with SMTP_URL" $setting) -}}
{{- end -}}
{{- end -}}
{{- else -}}
{{- range $setting := list "SMTP_TLS" "SMTP_TLS_CA_FILE" -}}
{{- if hasKey $.config $setting -}}
{{- $problems = append $problems (printf "mail.config.%s: needs SMTP_URL" $setting) -}}
{{- end -}}
{{- end -}}
{{- if hasKey .secrets "DKIM_KEY_FILE" -}}
{{- $problems = append $problems "mail.secrets.DKIM_KEY_FILE: needs SMTP_URL" -}}
{{- end -}}
{{- end -}}
{{- if and $user (not $hasPassword) -}}
{{- $problems = append $problems "mail.secrets.SMTP_PASSWORD_FILE: needed if SMTP_URL has a user" -}}
{{- end -}}
{{- if and $hasPassword (not $user) -}}
{{- $problems = append $problems "mail.secrets.SMTP_PASSWORD_FILE: needs an SMTP_URL with a user" -}}
{{- end -}}
{{- $isSafe := or (hasPrefix "smtps:" $url) (regexMatch "@(localhost|127[.][0-9.]+|\\[::1\\])(:[0-9]+)?/?$" $url) -}}
{{- if and $user (eq (.config.SMTP_TLS | default "") "opportunistic") (not $isSafe) -}}
{{- $problems = append $problems "mail.config.SMTP_TLS: opportunistic needs an SMTP_URL without a user" -}}
{{- end -}}
{{- if and .config.DKIM_SELECTOR (not (hasKey .secrets "DKIM_KEY_FILE")) -}}
{{- $problems = append $problems "mail.secrets.DKIM_KEY_FILE: needed with DKIM_SELECTOR" -}}
{{- end -}}
{{- if and (hasKey .secrets "DKIM_KEY_FILE") (not .config.DKIM_SELECTOR) -}}
{{- $problems = append $problems "mail.config.DKIM_SELECTOR: needed with DKIM_KEY_FILE" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{- define "po.kafkaProblems" -}}
{{- $problems := list -}}
{{- if and (not .tls) (include "po.hasCertificates" .certificates) -}}
{{- $problems = append $problems "kafka.certificates: not used without kafka.tls" -}}
{{- end -}}
{{- if and (not .tls) (eq .saslMechanism "plain") -}}
{{- $problems = append $problems "kafka.saslMechanism: plain without kafka.tls sends the password unencrypted" -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}

{{- define "po.hasCertificates" -}}
{{- if or .ca.configMap .ca.secret (without (values .clients) "") }}true{{ end -}}
{{- end }}

{{/* Arguments: mechanism, key, config, secrets. */}}
{{- define "po.saslProblems" -}}
{{- $problems := list -}}
{{- if .mechanism -}}
{{- if not (hasKey .secrets "KAFKA_SASL_PASSWORD") -}}
{{- $problems = append $problems (printf "%s.secrets.KAFKA_SASL_PASSWORD, or secrets.KAFKA_SASL_PASSWORD for all: needed with kafka.saslMechanism" .key) -}}
{{- end -}}
{{- if not (or (hasKey .secrets "KAFKA_SASL_USERNAME") (hasKey .config "KAFKA_SASL_USERNAME")) -}}
{{- $problems = append $problems (printf "%s.config.KAFKA_SASL_USERNAME, or the same in secrets: needed with kafka.saslMechanism" .key) -}}
{{- end -}}
{{- else -}}
{{- range $values := list "config" "secrets" -}}
{{- if hasKey (index $ $values) "KAFKA_SASL_USERNAME" -}}
{{- $problems = append $problems (printf "%s.%s.KAFKA_SASL_USERNAME: not used without kafka.saslMechanism" $.key $values) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toJson $problems -}}
{{- end }}
