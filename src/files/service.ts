import { SERVICE_DEFAULTS, type ServiceSettings, type ServiceTarget } from '../domain/workspace.ts';
import { caution, problem, type Finding, type Path } from './findings.ts';
import type { WrittenService } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ResolvedService {
  readonly settings: ServiceSettings;
  readonly findings: readonly Finding[];
}

/** `service:` with its defaults and environment variables; paths start at the workspace. */
export function resolveService(written: WrittenService = {}, env: Environment): ResolvedService {
  const findings: Finding[] = [];
  const read = (text: string, path: Path): string => fromEnvironment(text, path, env, findings);
  const target = resolveTarget(written, env, read, findings);
  const authHeader = read(written.auth_header ?? SERVICE_DEFAULTS.authHeader, ['service', 'auth_header']);
  if (!HEADER_NAME.test(authHeader)) {
    const message = 'This is no header name: letters, digits and "-" only.';
    findings.push(problem('invalid-header', ['service', 'auth_header'], message));
  }
  const platform = (name: 'primary' | 'secondary'): string => {
    const path = ['service', 'platforms', name];
    const word = read(written.platforms?.[name] ?? SERVICE_DEFAULTS.platforms[name], path);
    if (!PLATFORM.test(word)) findings.push(problem('invalid-platform', path, PLATFORM_ADVICE));
    return word;
  };
  const settings: ServiceSettings = {
    target,
    authHeader,
    platforms: { primary: platform('primary'), secondary: platform('secondary') },
    requestTimeoutSec: written.request_timeout_sec ?? SERVICE_DEFAULTS.requestTimeoutSec,
    settleSec: written.settle_sec ?? SERVICE_DEFAULTS.settleSec,
    rateShare: written.rate_share ?? SERVICE_DEFAULTS.rateShare,
  };
  return { settings, findings: [...findings, ...settleIsLongEnough(settings)] };
}

/** The characters of a token (RFC 9110, section 5.6.2). */
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PLATFORM = /^[A-Za-z0-9_-]+$/;
const PLATFORM_ADVICE = 'A platform’s word stands in paths: letters, digits, "_" and "-" only.';

/** The service gives up after 65 s, so an unheard create may commit until then (service-api.md, Limits). */
const SERVICE_TIMEOUT_SEC = 65;

function settleIsLongEnough({ settleSec, target }: ServiceSettings): Finding[] {
  if (target.kind === 'simulator' || settleSec >= SERVICE_TIMEOUT_SEC) return [];
  const message = `A create whose answer was lost may commit for ${SERVICE_TIMEOUT_SEC} s: a shorter wait can send twice. Write ${SERVICE_DEFAULTS.settleSec}.`;
  return [caution('settle-too-short', ['service', 'settle_sec'], message)];
}

function resolveTarget(
  written: WrittenService,
  env: Environment,
  read: (text: string, path: Path) => string,
  findings: Finding[],
): ServiceTarget {
  const { base_url: baseUrl, simulator } = written;
  if (baseUrl !== undefined && simulator !== undefined) {
    const message = 'Both base_url and simulator: keep one of the two.';
    findings.push(problem('service-twice', ['service', 'simulator'], message, 'key'));
  }
  const override = env['HERALD_BASE_URL'];
  if (override !== undefined && override !== '') {
    return { kind: 'http', baseUrl: checkedUrl(override, ['service'], 'HERALD_BASE_URL: ', findings) };
  }
  if (simulator !== undefined)
    return { kind: 'simulator', worldFile: read(simulator, ['service', 'simulator']) };
  if (baseUrl === undefined) {
    const message = 'Which service? Write base_url or simulator under `service:`, or set HERALD_BASE_URL.';
    findings.push(problem('service-missing', ['service', 'base_url'], message, 'key'));
    return { kind: 'http', baseUrl: '' };
  }
  const path = ['service', 'base_url'];
  const before = findings.length;
  const url = read(baseUrl, path);
  return { kind: 'http', baseUrl: findings.length > before ? url : checkedUrl(url, path, '', findings) };
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The URL with its path and without trailing slashes, so that paths can be appended to it. */
function checkedUrl(text: string, path: Path, prefix: string, findings: Finding[]): string {
  const refuse = (message: string): string => {
    findings.push(problem('invalid-base-url', path, prefix + message));
    return text;
  };
  if (/\s/.test(text) || !URL.canParse(text)) return refuse('This is no URL: write https://host/path.');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '')
    return refuse('A URL holds no secrets: the key comes from HERALD_API_KEY.');
  if (url.search !== '' || url.hash !== '')
    return refuse('The URL ends with its path: remove "?" or "#" and what follows.');
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.includes(url.hostname));
  if (!isSafe)
    return refuse('The key travels with every request: write https:// (http:// is for localhost only).');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

function fromEnvironment(text: string, path: Path, env: Environment, findings: Finding[]): string {
  return text.replace(/\$\{([^}]*)\}?/g, (whole, name: string) => {
    if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}')) {
      findings.push(problem('environment-syntax', path, `"${whole}" names no variable: write \${NAME}.`));
      return whole;
    }
    const value = env[name] ?? '';
    if (value === '') {
      findings.push(
        problem('unset-environment', path, `${name} is not set in the environment, or empty: set it.`),
      );
    }
    return value;
  });
}
