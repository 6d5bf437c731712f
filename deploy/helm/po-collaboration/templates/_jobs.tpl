{{/* Annotations that make a resource a Helm hook; empty with plain Jobs. Arguments: root, weight, policy. */}}
{{- define "po.hook" -}}
{{- if .root.Values.jobs.hooks -}}
helm.sh/hook: pre-install,pre-upgrade
helm.sh/hook-weight: {{ .weight | quote }}
helm.sh/hook-delete-policy: {{ .policy }}
{{- end -}}
{{- end }}

{{/* Pod template of a job. Arguments: root, job with name, image, program, config, secrets and files (arguments of po.files). */}}
{{- define "po.jobPod" -}}
metadata:
  labels:
    {{- include "po.selector" (dict "root" .root "component" "jobs") | nindent 4 }}
  {{- with .root.Values.jobs.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  restartPolicy: Never
  serviceAccountName: {{ include "po.fullname" .root }}-jobs
  {{- include "po.podSecurity" .root.Values.defaults | nindent 2 }}
  {{- with include "po.scheduling" (dict "root" .root "service" .root.Values.defaults) | trim }}
  {{- . | nindent 2 }}
  {{- end }}
  containers:
    - name: {{ .job.name }}
      image: {{ include "po.image" (dict "root" .root "image" .job.image) }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      command: [node, --import=../../libs/platform/dist/process/end-at-signals.js, {{ .job.program }}]
      {{- include "po.containerSecurity" . | nindent 6 }}
      env:
        {{- include "po.variables" .job | trim | nindent 8 }}
        {{- with include "po.trustVariable" .root | trim }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- with include "po.secrets" .job.secrets | trim }}
        {{- . | nindent 8 }}
        {{- end }}
      resources:
        {{- toYaml .root.Values.jobs.resources | nindent 8 }}
      volumeMounts:
        {{- include "po.volumeMounts" .root | nindent 8 }}
        {{- with include "po.fileMounts" .job.files | trim }}
        {{- . | nindent 8 }}
        {{- end }}
  volumes:
    {{- include "po.volumes" .root | nindent 4 }}
    {{- with include "po.fileVolumes" .job.files | trim }}
    {{- . | nindent 4 }}
    {{- end }}
{{- end }}
