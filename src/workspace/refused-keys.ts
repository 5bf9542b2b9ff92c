import type { DiagnosticCode } from '../domain/codes.ts';
import type { Path } from './findings.ts';

interface Refusal {
  readonly code: DiagnosticCode;
  readonly message: string;
}

/** Keys that a file cannot set and that need advice of their own, by their parent key. */
const REFUSED: Readonly<Record<string, Refusal>> = {
  'rules.unsend_if_not_replied_enabled': {
    code: 'rule-not-creatable',
    message: 'Broadcasts cannot be created with this rule. Remove it, or use unsend_if_not_read_enabled.',
  },
  'rules.end_at_timezone_mode': {
    code: 'read-only-key',
    message: 'Herald always sends UTC. For a local time, set end_at_timezone.',
  },
  'messages.step': {
    code: 'read-only-key',
    message: 'The service sets the steps from the order of the list. Remove it.',
  },
  '.scheduled_at_timezone_mode': {
    code: 'read-only-key',
    message: 'Herald always sends UTC. For a local time, set scheduled_at_timezone.',
  },
  'policy.approvals': {
    code: 'unknown-key',
    message:
      'Unknown key "approvals". GitHub or GitLab decides who has to approve. Remove it, and write ci: { require_approval: all }, or irreversible for only what cannot be undone.',
  },
  '.account_id': { code: 'read-only-key', message: 'Use aliases: write `accounts: [alice]`.' },
};

/** The reason why a documented key is refused. Undefined for an unknown key. */
export function refusedKey(path: Path, key: string): Refusal | undefined {
  const above = path.findLast((step) => typeof step === 'string') ?? '';
  return REFUSED[`${above}.${key}`];
}
