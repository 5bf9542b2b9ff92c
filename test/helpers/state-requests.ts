import type { NewRequest, StartCheck } from '../../src/state/shapes.ts';

/** Requests of one campaign, for tests of the state. */
export const CREATE: Required<NewRequest> = {
  operation: 'campaigns.create',
  command: 'apply',
  account: 'alice',
  account_id: '101',
  kind: 'campaign',
  name: 'Welcome',
  live_id: null,
  target: null,
  purpose: 'declared',
  content: 'digest-1',
  asked: { wanted: { name: 'Welcome' } },
};
export const PAUSE: Required<NewRequest> = {
  ...CREATE,
  operation: 'campaigns.setStatus',
  command: 'campaigns pause',
  live_id: '12',
  target: 'paused',
  purpose: 'by_hand',
};
export const FROM_START: StartCheck = { after_seq: 0, other_name: null };

export const ACTIVATE: Required<NewRequest> = {
  ...CREATE,
  operation: 'campaigns.setStatus',
  live_id: '12',
  target: 'active',
};
