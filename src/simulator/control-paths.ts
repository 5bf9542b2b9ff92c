/** One path of the simulator's control, with an example. */
export interface ControlPath {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly does: string;
  /** A body that a new world accepts. */
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Paths with this prefix belong to the simulator, not to the service. */
export const CONTROL_PREFIX = '/__sim';

/** Everything below `CONTROL_PREFIX`. The simulator answers it, and the reference has the same rows. */
export const CONTROL_PATHS = [
  { method: 'GET', path: '/__sim/', does: 'this list' },
  { method: 'POST', path: '/__sim/clock', does: 'move its clock forward', body: { advance_sec: 3600 } },
  {
    method: 'POST',
    path: '/__sim/seed',
    does: 'add a campaign, a broadcast, a chat or media',
    body: { account_id: '101', kind: 'campaign', set: { name: 'Welcome' } },
  },
  {
    method: 'POST',
    path: '/__sim/edit',
    does: 'edit an account, campaign or broadcast, as a person does',
    body: { account_id: '101', kind: 'campaign', name: 'Welcome', set: { status: 'paused' } },
  },
  { method: 'POST', path: '/__sim/accounts', does: 'add an account', body: { id: '777' } },
  {
    method: 'POST',
    path: '/__sim/keys',
    does: 'add, change or revoke a key',
    body: { key: 'viewer', permissions: ['auto_messages.view'] },
  },
  {
    method: 'POST',
    path: '/__sim/trigger',
    does: 'let a fan set off a trigger',
    body: { account_id: '101', trigger: 'welcome_message', fan_id: '101001' },
  },
  {
    method: 'POST',
    path: '/__sim/faults',
    does: 'break answers',
    body: { kind: 'throttle', operation: 'campaigns.list', times: 1 },
  },
  { method: 'DELETE', path: '/__sim/faults', does: 'stop breaking answers' },
  {
    method: 'POST',
    path: '/__sim/modes',
    does: 'change how it behaves where the service is not documented',
    body: { listLagSec: 5 },
  },
  {
    method: 'POST',
    path: '/__sim/data',
    does: 'set how many rows its lists have',
    body: { transactions: 1000 },
  },
  { method: 'GET', path: '/__sim/oracle', does: 'count what each fan got' },
  { method: 'GET', path: '/__sim/world', does: 'all of its data' },
] as const satisfies readonly ControlPath[];
