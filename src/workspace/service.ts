import type { DiagnosticCode } from '../domain/codes.ts';
import { holdsSecret } from '../domain/secret.ts';
import { embeddedOrigin, isLoopback, type ServiceIdentity } from '../domain/service-identity.ts';
import { SERVICE_DEFAULTS, type ServiceSettings } from '../domain/workspace.ts';
import type { Findings, Path } from './findings.ts';
import type { WrittenService } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `service:` with defaults and environment variables. Paths start at the workspace. */
export function resolveService(
  written: WrittenService = {},
  env: Environment,
  found: Findings,
): ServiceSettings {
  const settings: ServiceSettings = {
    ...resolveTarget(written, env, found),
    authHeader: written.auth_header ?? SERVICE_DEFAULTS.authHeader,
    platforms: {
      primary: written.platforms?.primary ?? SERVICE_DEFAULTS.platforms.primary,
      secondary: written.platforms?.secondary ?? SERVICE_DEFAULTS.platforms.secondary,
    },
    requestTimeoutSec: written.request_timeout_sec ?? SERVICE_DEFAULTS.requestTimeoutSec,
    settleSec: written.settle_sec ?? SERVICE_DEFAULTS.settleSec,
    rateShare: written.rate_share ?? SERVICE_DEFAULTS.rateShare,
    listStyle: written.list_style ?? SERVICE_DEFAULTS.listStyle,
    knownWords: {
      kinds: written.known_kinds ?? [],
      triggers: written.known_triggers ?? [],
      media_types: written.known_media_types ?? [],
      online_check_modes: written.known_online_check_modes ?? [],
    },
  };
  checkSettle(settings, found);
  return settings;
}

/**
 * The service gives up after 65 s. Until then, a create without an answer may succeed (ERROR-5). A service on this machine is
 * one of a test, which does not wait so long.
 */
function checkSettle({ settleSec, target }: ServiceSettings, found: Findings): void {
  if (target.kind === 'simulator' || settleSec >= SERVICE_DEFAULTS.settleSec) return;
  const message = `\`settle_sec\` is too short. A request without an answer may still succeed for 65 s, and a shorter wait can send twice. Write ${SERVICE_DEFAULTS.settleSec}.`;
  const isLocal = URL.canParse(target.baseUrl) && isLoopback(new URL(target.baseUrl));
  found[isLocal ? 'warning' : 'error']('settle-too-short', ['service', 'settle_sec'], message);
}

function resolveTarget(
  written: WrittenService,
  env: Environment,
  found: Findings,
): Pick<ServiceSettings, 'target' | 'identity'> {
  const { base_url: baseUrl, simulator } = written;
  if (baseUrl !== undefined && simulator !== undefined) {
    const message = 'base_url and simulator are both set. Remove one.';
    found.error('service-twice', ['service', 'simulator'], message, 'key');
  }
  const override = env['HERALD_BASE_URL'];
  if (override !== undefined && override !== '') {
    const baseUrl = checkedUrl(override, ['service'], 'HERALD_BASE_URL: ', found);
    return overHttp(baseUrl, 'HERALD_BASE_URL');
  }
  if (simulator !== undefined) {
    const identity = { origin: embeddedOrigin(simulator), source: 'herald.yaml', simulator: true } as const;
    return { target: { kind: 'simulator', worldFile: simulator }, identity };
  }
  if (baseUrl === undefined) {
    const message =
      'No service. Set `service.base_url` or `service.simulator`, or the variable HERALD_BASE_URL.';
    found.error('service-missing', ['service', 'base_url'], message, 'key');
    return overHttp('', 'herald.yaml');
  }
  const path = ['service', 'base_url'];
  const url = fillEnvironment(baseUrl, path, env, found);
  return overHttp(url === null ? baseUrl : checkedUrl(url, path, '', found), 'herald.yaml');
}

function overHttp(
  baseUrl: string,
  source: ServiceIdentity['source'],
): Pick<ServiceSettings, 'target' | 'identity'> {
  return { target: { kind: 'http', baseUrl }, identity: { origin: baseUrl, source, simulator: false } };
}

/** The URL without trailing slashes, so that paths can be appended. */
function checkedUrl(text: string, path: Path, prefix: string, found: Findings): string {
  const refuse = (message: string): string => {
    found.error('invalid-base-url', path, prefix + message);
    return text;
  };
  if (/\s/.test(text)) return refuse('The address has a space or a line break. Remove it.');
  if (!URL.canParse(text)) return refuse('This is not a URL. Write https://host/path.');
  const url = new URL(text);
  if (`${url.username}${url.password}${url.search}${url.hash}` !== '')
    return refuse(
      'The URL must end with its path, without a user name, a password, "?" or "#". The key comes from HERALD_API_KEY.',
    );
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
  if (!isSafe)
    return refuse('Every request sends the key, so write https:// (http:// works for localhost only).');
  return (url.origin + url.pathname).replace(/\/+$/, '');
}

/** The variables that files may always read. Others may edit the files, so they must not read the whole environment. */
const ALWAYS_ALLOWED: readonly string[] = ['HERALD_URL', 'HERALD_BASE_URL'];

const VARIABLE = /\$\{([^}]*)\}?/g;

/** Replaces each `${NAME}`. Null after a variable that is unset, empty or not allowed, which is reported. */
function fillEnvironment(text: string, path: Path, env: Environment, found: Findings): string | null {
  let isComplete = true;
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const problem = explainVariable(whole, name, env);
    if (problem === null) return env[name] ?? '';
    isComplete = false;
    found.error(problem.code, path, problem.message);
    return whole;
  });
  return isComplete ? filled : null;
}

function explainVariable(
  whole: string,
  name: string,
  env: Environment,
): { readonly code: DiagnosticCode; readonly message: string } | null {
  if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}'))
    return { code: 'environment-syntax', message: `"${whole}" is not a variable. Write \${NAME}.` };
  const value = env[name] ?? '';
  if (holdsSecret(name, value))
    return {
      code: 'environment-forbidden',
      message: `${name} holds a secret, and no file may use it. Write the address of the service itself, or set HERALD_URL to it and write \${HERALD_URL}.`,
    };
  const listed = splitList(env['HERALD_ALLOWED_ENV']);
  if (![...ALWAYS_ALLOWED, ...listed].includes(name))
    return {
      code: 'environment-forbidden',
      message: `Files may not use ${name}. Set HERALD_ALLOWED_ENV=${[...listed, name].join(',')} where Herald runs, or set HERALD_URL and write \${HERALD_URL}.`,
    };
  if (value !== '') return null;
  return {
    code: 'unset-environment',
    message: `${name} is not set in the environment, or is empty. Set it.`,
  };
}

/** Splits the list in a variable at spaces and commas. */
export function splitList(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
