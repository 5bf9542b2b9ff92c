import type { Mutant } from '../mutant.ts';

const FLOWS = 'test/flows/status-lag.test.ts';

/** Rules about reads that lag behind a status. */
export const LAG: readonly Mutant[] = [
  {
    name: 'a list that lags behind an answered status is believed',
    protects:
      'A list is read again while it shows a status from before an answered change of the last seconds.',
    file: 'src/reconcile/lagging-lists.ts',
    find: 'if (keys.size === 0 || interrupted.aborted) return observed;',
    replace: 'if (keys.size >= 0 || interrupted.aborted) return observed;',
  },
  {
    name: 'the seconds in which a list may lag count from the request',
    protects: 'A list may lag behind an answer for some seconds, however long the answer took.',
    file: 'src/ledger/recent-answers.ts',
    find: 'answered: writtenTime(line)',
    replace: 'answered: { sentAtMs: intent.sent_at_ms, skewMs: intent.skew_ms ?? null }',
    test: { file: FLOWS, name: 'is stopped again also where the answer to its start took long' },
  },
  {
    name: 'a list that lags behind an answered recall is believed',
    protects: 'A list is read again while it shows a campaign as it was before an answered recall.',
    file: 'src/reconcile/lagging-lists.ts',
    find: 'if (target === null) return showsRecall || STATUS_TRAITS[shown].runs;',
    replace: 'if (target === null) return false;',
    test: { file: FLOWS, name: 'is not recalled again by the next apply' },
  },
  {
    name: 'a pause that was answered without a status has changed nothing',
    protects:
      'A pause that the service accepted is not called undone without an exit code that tells to look.',
    file: 'src/apply/step-status.ts',
    find: 'context.begun ||= result.reply?.isRead === true;',
    replace: '',
    test: { file: FLOWS, name: 'may have been carried out if the broadcast reads as scheduled' },
  },
  {
    name: 'a list counts as late for as long as it differs from the ledger',
    protects: 'What a person changed later than some seconds after an answer is planned at once.',
    file: 'src/reconcile/lagging-lists.ts',
    find: 'ageAtStart(change) < STATUS_MAY_LAG_MS',
    replace: 'ageAtStart(change) < STATUS_MAY_LAG_MS * 100',
    test: { file: FLOWS, name: 'is planned at once where a person changed it later' },
  },
  {
    name: 'a read back is believed after two seconds',
    protects: 'A change counts as undone only if it still reads so ten seconds after its answer.',
    file: 'src/apply/until-shown.ts',
    find: 'begunMs - sinceMs >= lagMs',
    replace: 'begunMs - sinceMs >= 2_000',
    test: { file: FLOWS, name: 'is reported as started, also where the single read shows it late' },
  },
];
