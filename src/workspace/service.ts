import type { DiagnosticCode } from '../domain/codes.ts';
import { holdsSecret } from '../domain/secret.ts';
import { embeddedOrigin, isLoopback } from '../domain/service-identity.ts';
import { SERVICE_DEFAULTS, type ServiceSettings, type ServiceTarget } from '../domain/workspace.ts';
import type { Findings, Path } from './findings.ts';
import type { WrittenService } from './schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** `service:` with defaults and environment variables. Paths start at the workspace. */
export function resolveService(
  written: WrittenService = {},
  env: Environment,
  found: Findings,
): ServiceSettings {
  const override = env['HERALD_BASE_URL'] ?? '';
  const target = resolveTarget(written, override, env, found);
  const settings: ServiceSettings = {
    target,
    identity: {
      origin: target.kind === 'simulator' ? embeddedOrigin(target.worldFile) : target.baseUrl,
      source: override === '' ? 'herald.yaml' : 'HERALD_BASE_URL',
      simulator: target.kind === 'simulator',
    },
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
  { base_url: baseUrl, simulator }: WrittenService,
  override: string,
  env: Environment,
  found: Findings,
): ServiceTarget {
  if (baseUrl !== undefined && simulator !== undefined) {
    const message = 'base_url and simulator are both set. Remove one.';
    found.error('service-twice', ['service', 'simulator'], message, 'key');
  }
  if (override !== '')
    return { kind: 'http', baseUrl: checkedUrl(override, ['service'], 'HERALD_BASE_URL: ', found) };
  if (simulator !== undefined) return { kind: 'simulator', worldFile: simulator };
  if (baseUrl === undefined) {
    const message =
      'No service. Set `service.base_url` or `service.simulator`, or the variable HERALD_BASE_URL.';
    found.error('service-missing', ['service', 'base_url'], message, 'key');
    return { kind: 'http', baseUrl: '' };
  }
  const path = ['service', 'base_url'];
  const url = fillEnvironment(baseUrl, path, env, found);
  return { kind: 'http', baseUrl: url === null ? baseUrl : checkedUrl(url, path, '', found) };
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
  const listed = splitList(env['HERALD_ALLOWED_ENV']);
  const filled = text.replace(VARIABLE, (whole, name: string) => {
    const value = env[name] ?? '';
    const refuse = (code: DiagnosticCode, message: string): string => {
      isComplete = false;
      found.error(code, path, message);
      return whole;
    };
    if (!/^[A-Za-z_]\w*$/.test(name) || !whole.endsWith('}'))
      return refuse('environment-syntax', `"${whole}" is not a variable. Write \${NAME}.`);
    if (holdsSecret(name, value))
      return refuse(
        'environment-forbidden',
        `${name} holds a secret, and no file may use it. Write the address of the service itself, or set HERALD_URL to it and write \${HERALD_URL}.`,
      );
    if (![...ALWAYS_ALLOWED, ...listed].includes(name))
      return refuse(
        'environment-forbidden',
        `Files may not use ${name}. Set HERALD_ALLOWED_ENV=${[...listed, name].join(',')} where Herald runs, or set HERALD_URL and write \${HERALD_URL}.`,
      );
    if (value !== '') return value;
    return refuse('unset-environment', `${name} is not set in the environment, or is empty. Set it.`);
  });
  return isComplete ? filled : null;
}

/** Splits the list in a variable at spaces and commas. */
export function splitList(list: string | undefined): readonly string[] {
  return (list ?? '').split(/[\s,]+/).filter((word) => word !== '');
}
