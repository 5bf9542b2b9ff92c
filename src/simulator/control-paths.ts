/** One path of the simulator's control, with an example. */
export interface ControlPath {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
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
    body: {
      account_id: '101',
      kind: 'campaign',
      set: {
        name: 'Welcome',
        // The id of media may be any text (CONTENT-8).
        messages: [{ text: 'Hello', attachments: [{ id: 'm-55012', type: 'image' }] }],
      },
    },
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
  {
    method: 'POST',
    path: '/__sim/fan',
    does: 'let a fan tip, subscribe, purchase, reply or read',
    body: { account_id: '101', fan_id: '101001', does: 'tip', amount: 5 },
  },
  { method: 'GET', path: '/__sim/webhooks', does: 'the addresses that get events' },
  {
    method: 'POST',
    path: '/__sim/webhooks',
    does: 'add an address that gets events',
    body: { url: 'http://127.0.0.1:8090/events/SECRET', accounts: ['101'], events: ['fans.tip.received'] },
  },
  {
    method: 'PATCH',
    path: '/__sim/webhooks/1',
    does: 'change the address with this id',
    body: { envelope: 'nested' },
  },
  { method: 'DELETE', path: '/__sim/webhooks/1', does: 'remove the address with this id' },
  { method: 'GET', path: '/__sim/oracle', does: 'count what each fan got' },
  { method: 'GET', path: '/__sim/world', does: 'all of its data' },
] as const satisfies readonly ControlPath[];
