import type { DiagnosticCode } from '../domain/codes.ts';
import type { Path } from './findings.ts';

interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Keys that the service's document knows but a file cannot set, by the key above; "unknown" would mislead. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  'rules.unsend_if_not_replied_enabled': {
    code: 'rule-not-creatable',
    message:
      'The service shows this rule on broadcasts but accepts it for none: remove it, or use unsend_if_not_read_enabled.',
  },
  'rules.end_at_timezone_mode': {
    code: 'read-only-key',
    message: 'Herald always sends UTC: name the zone of the wall clock with end_at_timezone.',
  },
  'messages.step': {
    code: 'read-only-key',
    message: 'The service counts steps by itself: remove it, the order of the list says it.',
  },
  '.scheduled_at_timezone_mode': {
    code: 'read-only-key',
    message: 'Herald always sends UTC: name the zone of the wall clock with scheduled_at_timezone.',
  },
  '.account_id': { code: 'read-only-key', message: 'Accounts are named by alias: write accounts: [alias].' },
};

/** Why a key that looks right is refused; undefined when it is simply unknown. */
export function refusedKey(path: Path, key: string): Refusal | undefined {
  const above = path.findLast((step) => typeof step === 'string') ?? '';
  return REFUSED[`${above}.${key}`];
}
