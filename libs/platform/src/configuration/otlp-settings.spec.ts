import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { commonSettings, configurationProblems } from './config.js';
import { tracesUrl } from './otlp-settings.js';

const settings = Object.entries(commonSettings).filter(([name]) => name.startsWith('OTEL_'));
const schema = z.object(Object.fromEntries(settings));

const problemsOf = (environment: Record<string, string>): string => {
  const { error } = schema.safeParse(environment);
  return error ? configurationProblems(schema, error).join('\n') : '';
};

describe('the trace settings', () => {
  it('disable tracing by default', () => {
    expect(schema.parse({})).toEqual({ OTEL_TRACES_SAMPLER: 'parentbased_always_on', OTEL_TRACES_SAMPLER_ARG: 1 });
  });

  it('are read from the standard OpenTelemetry variables', () => {
    const environment = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector:4318/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YWJjOg==, x-scope-orgid=1',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.01',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=production,team=Eink%C3%A4ufer',
    };
    expect(schema.parse(environment)).toEqual({
      ...environment,
      OTEL_EXPORTER_OTLP_HEADERS: { authorization: 'Basic YWJjOg==', 'x-scope-orgid': '1' },
      OTEL_TRACES_SAMPLER_ARG: 0.01,
      OTEL_RESOURCE_ATTRIBUTES: { 'deployment.environment.name': 'production', team: 'Einkäufer' },
    });
    expect(tracesUrl(environment.OTEL_EXPORTER_OTLP_ENDPOINT)).toBe('https://collector:4318/base/v1/traces');
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318', 'must be an http:// or https:// URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'grpc://collector:4317', 'must be an http:// or https:// URL'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://me:sesame@collector:4318', 'must not contain a user or password'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://collector:4318?key=sesame', 'must have no query'],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'http://collector:4318/v1/traces',
      'must be the base URL, to which /v1/traces is appended',
    ],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'sesame', 'must be name=value pairs separated by commas'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization=', 'must be name=value pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=sesame', 'must be name=value pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=sesame%0D%0Ax: y', 'must be name=value pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=sesame%', 'must be name=value pairs'],
    ['OTEL_TRACES_SAMPLER', 'sometimes', '"parentbased_traceidratio"'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', '<=1'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half', 'number'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'production', 'must be key=value pairs'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a=1,,b=2', 'must be key=value pairs'],
  ])('refuse %s=%s without printing secrets', (name, value, reason) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toContain(`${name}: `);
    expect(problems).toContain(reason);
    expect(problems).not.toContain('sesame');
  });
});
