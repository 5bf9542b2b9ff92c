import type { Operation } from './catalogue.ts';
import type { ErrorBody } from './errors.ts';
import type { Row } from './row.ts';

/** What to do after an error, from its status, its code and the row that it came from (ERROR-1). */
export function hintFor(operation: Operation, row: Row, status: number, body: ErrorBody): string | null {
  if (status === 403) return forbiddenHint(operation, row, body);
  if (status === 401) return 'The API key was not accepted. Check HERALD_API_KEY and service.auth_header.';
  if (status === 404) return 'There is no such object, or the key is not scoped to it.';
  if (status === 429) return 'Another process may be using the same key. Try again in a minute.';
  if (status >= 300 && status < 400)
    return 'A redirect is never followed. Put the final address in service.base_url.';
  if (status === 502 && row.mayBeUnreadable === true)
    return 'Its content may be unreadable: the list shows its entry all the same.';
  return status < 500 && status !== 408 && status !== 425 ? null : silenceHint(row);
}

export const NO_CONNECTION_HINT = 'Nothing was sent. Check the base address, the network and any proxy.';

export const BUG_HINT =
  'Nothing was sent. This is a bug in Herald: please report it, with what the command says when you add --verbose.';

export const LEFT_TOO_LATE_HINT =
  'Nothing was sent. The machine was asleep or very busy, or the connection took too long. Run it again.';

/** After an answer that says nothing about the request, or none at all. */
export function silenceHint({ method }: Row): string {
  return method === 'GET'
    ? 'The service, or something before it, is in trouble. Try again later.'
    : 'It may have been carried out all the same. Read the state before trying again.';
}

/** After a success whose body does not hold. */
export function unreadableHint(row: Row): string {
  return row.method === 'GET'
    ? 'The answer is not taken for anything that it is not. If this stays, the service has changed.'
    : silenceHint(row);
}

function forbiddenHint(operation: Operation, row: Row, body: ErrorBody): string {
  if (body.code === 'API_KEY_PERMISSION_DENIED') {
    return `The key lacks the permission ${requiredPermission(body) ?? row.permission}. Give it to the key, or use another key.`;
  }
  if (operation === 'payouts.request') return 'Payout requests are not enabled for the organisation.';
  return 'The key has no access to this account or platform, or the feature is not enabled.';
}

/** Such as `campaigns.edit`; anything else is no permission, and a hint must not repeat it. */
const PERMISSION = /^[\w.]{1,100}$/;

function requiredPermission(body: ErrorBody): string | null {
  const details = body.details;
  if (typeof details !== 'object' || details === null || !('required_permission' in details)) return null;
  const { required_permission: permission } = details;
  return typeof permission === 'string' && PERMISSION.test(permission) ? permission : null;
}
