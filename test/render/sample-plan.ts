import type { Plan } from '../../src/domain/change.ts';
import { aChange, aPlan } from '../helpers/plan-builders.ts';

const OLD_TEXT =
  'Hey there, it is Alice! I have prepared something special for all of you who have been here since the spring. ' +
  'This week you get every video of the old series for half the price, and on Friday there is a surprise waiting. ' +
  'Write me back if you want to see it first.';

const NEW_TEXT = OLD_TEXT.replace('special', 'wonderful')
  .replace('half the price', '9.99')
  .replace(' first', '');

/** A plan with every heading, as a person might see it on a busy day. */
export const SAMPLE_PLAN: Plan = aPlan(
  [
    aChange({
      kind: 'broadcast',
      name: 'Black Friday teaser',
      reasons: ['Declared and not live.'],
      fields: [
        { path: 'scheduled_at', old: null, new: '2026-11-27T17:00:00Z' },
        { path: 'messages[0].text', old: null, new: 'Tomorrow…' },
      ],
      steps: [{ kind: 'create', live_id: null }],
      undo: 'pause it before 2026-11-27T17:00:00Z',
    }),
    aChange({
      kind: 'broadcast',
      name: 'Advent',
      action: 'resume',
      live_id: '902',
      reasons: ['Paused outside of Herald.'],
      steps: [{ kind: 'resume', live_id: '902' }],
      needs: ['resume'],
      undo: 'pause it again until it has left',
    }),
    aChange({
      kind: 'broadcast',
      name: 'Halloween',
      action: 'missed',
      reasons: ['Its time, 2026-10-31T17:00:00Z, has passed.'],
    }),
    aChange({ kind: 'broadcast', name: 'Easter', action: 'done', live_id: '77' }),
    aChange({
      name: 'Offer of the month',
      action: 'replace',
      reasons: ['Its content differs from the files, and the service has no update call.'],
      fields: [
        { path: 'messages[1].price_gross', old: 9.99, new: 12.5 },
        { path: 'messages[1].text', old: OLD_TEXT, new: NEW_TEXT },
        {
          path: 'audience_filters',
          old: [{ kind: 'subscribed_date', mode: 'include', options: { from_at: '2026-01-01T00:00:00Z' } }],
          new: [{ kind: 'subscribed_date', mode: 'exclude', options: { from_at: '2026-01-01T00:00:00Z' } }],
        },
        { path: 'rules.end_at', old: '2026-12-01T00:00:00Z', new: null },
      ],
      steps: [
        { kind: 'pause', live_id: '4711' },
        { kind: 'create', live_id: null },
        { kind: 'read_back', live_id: null },
      ],
      undo: 'pause the new one and activate 4711 within 7 days; messages already sent stay sent',
    }),
    aChange({
      name: 'Oops',
      action: 'recall',
      live_id: '99',
      reasons: ['Declared as recalled.'],
      steps: [{ kind: 'recall', live_id: '99' }],
      needs: ['recall'],
      undo: "The messages are deleted from the fans' chats",
    }),
    aChange({
      name: 'Summer',
      action: 'blocked',
      live_id: '812',
      reasons: ['Paused, and the pause was not ours: a person may have stopped it on purpose.'],
      needs: ['resume'],
      steps: [{ kind: 'activate', live_id: '812' }],
    }),
    aChange({ name: 'Welcome series', action: 'keep' }),
    aChange({ name: 'Built by hand', action: 'unmanaged', live_id: '5001' }),
    aChange({
      account: 'bob',
      name: 'Welcome',
      action: 'retire',
      live_id: '34',
      reasons: ['A duplicate of 33.'],
      steps: [{ kind: 'archive', live_id: '34' }],
    }),
    aChange({
      account: 'bob',
      name: 'Autumn 👩‍👩‍👧 最高',
      action: 'blocked',
      live_id: null,
      reasons: ['Someone recalled this message: use a new name.'],
    }),
  ],
  {
    diagnostics: [
      {
        severity: 'info',
        code: 'unverifiable',
        message: 'Fan-list names are not returned by the service.',
        address: 'alice/campaign/Welcome series',
      },
      {
        severity: 'warning',
        code: 'unknown-trigger',
        message: 'The trigger "expired_soon" is not known to this version.',
        file: 'campaigns/alice.yaml',
        line: 12,
        column: 5,
      },
    ],
    eta_sec: 6.2,
  },
);
