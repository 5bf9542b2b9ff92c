import { describe, expect, it } from 'vitest';
import {
  CONNECTION_ERRORS,
  CONNECTION_MOMENTS,
  type ConnectionMoment,
} from '../../src/simulator/fault-shape.ts';
import { aCampaignBody, answered, aVisit, CAMPAIGNS, SECOND, type Visit } from './visit.ts';

const CASES = CONNECTION_MOMENTS.flatMap((moment) =>
  CONNECTION_ERRORS[moment].map((error) => ({ moment, error })),
);
const CARRIED_OUT: readonly ConnectionMoment[] = ['after_request', 'answer_head', 'answer_body'];

const creates = ({ control }: Visit) =>
  control.oracle().commits.filter(({ change }) => change === 'create').length;

/** The error that the caller meets, with everything that caused it. */
async function toHeraldError(visit: Visit): Promise<string> {
  const error: unknown = await visit
    .request('POST', CAMPAIGNS, aCampaignBody())
    .then(answered)
    .then(
      () => 'an answer',
      (caught: unknown) => caught,
    );
  const words: string[] = [];
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    const call = 'syscall' in cause ? String(cause.syscall) : '';
    words.push(`${cause.message} ${call} ${code}`.trim());
  }
  return words.join(' < ');
}

describe('a connection that fails', () => {
  it.each(CASES)('at "$moment" with $error reaches the caller as fetch passes it on', async (line) => {
    const visit = aVisit();
    visit.control.addFault({ kind: 'connection', ...line });
    const failure = await toHeraldError(visit);
    expect(failure).toMatch(line.moment === 'answer_body' ? /^terminated/ : /^fetch failed/);
    expect(failure).toContain(line.error);
    expect(creates(visit)).toBe(CARRIED_OUT.includes(line.moment) ? 1 : 0);
  });

  it('after the request has left says nothing about whether it is carried out', async () => {
    const visit = aVisit();
    const moment = 'after_request';
    visit.control.addFault({ kind: 'connection', moment, carried_out: 'never', nth: 1 });
    visit.control.addFault({ kind: 'connection', moment, carried_out: 60, nth: 2 });
    await toHeraldError(visit);
    await toHeraldError(visit);
    visit.control.advance(59 * SECOND);
    expect(creates(visit)).toBe(0);
    visit.control.advance(SECOND);
    expect(creates(visit)).toBe(1);
  });
});
