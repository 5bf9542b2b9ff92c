import type { CallName } from './catalogue.ts';
import type { ErrorBody } from './errors.ts';
import type { Row } from './row.ts';

/** The next step after an error, from its status, its code and its row (ERROR-1). */
export function hintFor(operation: CallName, row: Row, status: number, body: ErrorBody): string | null {
  if (status === 403) return forbiddenHint(operation, row, body);
  if (status === 401) return 'The API key was not accepted. Check HERALD_API_KEY and service.auth_header.';
  if (status === 404) return 'Not found. Check the id and the account, and that the key may see it.';
  if (status === 429) return 'Another process may be using the same key. Try again in a minute.';
  if (status >= 300 && status < 400)
    return 'A redirect is never followed. Put the final address in service.base_url.';
  if (status === 502 && row.mayBeUnreadable === true)
    return 'Its content may be unreadable. The list still shows it.';
  if (status >= 500 || status === 408 || status === 425) return silenceHint(row);
  return row.method === 'GET'
    ? null
    : 'The service did not carry it out. Correct it, and run the command again.';
}

export const NO_CONNECTION_HINT = 'Nothing was sent. Check the base address, the network and any proxy.';

export const BUG_HINT =
  'Nothing was sent. This is a bug in Herald: please report it, with the output of the command with --verbose.';

export const LEFT_TOO_LATE_HINT =
  'Nothing was sent. The machine was asleep or very busy, or the connection took too long. Run it again.';

/** The hint after an answer that does not confirm the request, or after no answer. */
export function silenceHint({ method }: Row): string {
  return method === 'GET'
    ? 'The service, or a gateway before it, has a problem. Try again later.'
    : 'It may have been executed. Read the state before trying again.';
}

/** The hint after a success with an unexpected body. */
export function unreadableHint(row: Row): string {
  return row.method === 'GET'
    ? 'Herald does not trust this answer. If this happens again, the service has changed.'
    : silenceHint(row);
}

function forbiddenHint(operation: CallName, row: Row, body: ErrorBody): string {
  if (body.code === 'API_KEY_PERMISSION_DENIED') {
    // A raw path has no permission that the document names.
    const known = operation.includes(' ') ? 'for this call' : row.permission;
    const ids = operation === 'accounts.list' ? ' Or write the id of each account in herald.yaml.' : '';
    return `The key lacks the permission ${requiredPermission(body) ?? known}. Give it to the key, or use another key.${ids}`;
  }
  if (operation === 'payouts.request') return 'Payout requests are not enabled for the organisation.';
  return 'The key has no access to this account or platform, or the feature is not enabled.';
}

/** For example `campaigns.edit`. Other text is not a permission, and a hint must not repeat it. */
const PERMISSION = /^[\w.]{1,100}$/;

function requiredPermission(body: ErrorBody): string | null {
  const details = body.details;
  if (typeof details !== 'object' || details === null || !('required_permission' in details)) return null;
  const { required_permission: permission } = details;
  return typeof permission === 'string' && PERMISSION.test(permission) ? permission : null;
}
