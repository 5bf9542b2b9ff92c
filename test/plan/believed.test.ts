import { describe, expect, it } from 'vitest';
import { objectKey, type KnownObject } from '../../src/domain/knowledge.ts';
import { madeAs } from '../../src/domain/made-as.ts';
import { believedOf } from '../../src/plan/believed.ts';
import { aLiveCampaign, knowing } from '../helpers/resource-builders.ts';
import { HOUR, NOON } from './plan-of.ts';

const US = { type: 'api_token', id: '1' };
const PERSON = { type: 'user', id: '77' };
const KEY = objectKey('101', 'campaign', '1');
const AT_NOON = new Date(NOON).toISOString();

type Live = Parameters<typeof aLiveCampaign>[0];

/** What is believed of one object that the ledger says this of. */
function believed(known: Partial<KnownObject>, live: Live, creators = ['api_token:1']) {
  const knowledge = knowing({ campaigns: [{ id: '1', ...known }], creators });
  const result = believedOf(knowledge, [aLiveCampaign({ id: '1', ...live })]);
  return { ...result, object: result.knowledge.objects.get(KEY) };
}

describe('what the ledger says of a create', () => {
  it.each<[string, Partial<KnownObject>, Live]>([
    ['says the same', { createdBy: 'api_token:1' }, { created_by: US }],
    ['does not say who made it', { createdBy: null }, { created_by: PERSON }],
    ['is about what the service does not say', { createdBy: 'api_token:1' }, { created_by: null }],
    ['left before it was made', { createLeftMs: NOON - HOUR }, { created_at: AT_NOON }],
    ['left by a clock that is hours ahead', { createLeftMs: NOON + 20 * HOUR }, { created_at: AT_NOON }],
    ['is about an object without a time', { createLeftMs: NOON }, { created_at: null }],
    ['is about a time that cannot be read', { createLeftMs: NOON }, { created_at: 'yesterday' }],
    ['had another name', { createdAs: madeAs('Old', 'Hey') }, { messages: [{ text: 'Hey' }] }],
    ['had another text', { createdAs: madeAs('Welcome', 'Old') }, { messages: [{ text: 'Hey' }] }],
    ['had another name than one without a text', { createdAs: madeAs('Old', 'Old') }, { messages: [] }],
  ])('is believed where it %s', (_, known, live) => {
    const { object, contradictions } = believed(known, live);
    expect(contradictions).toEqual([]);
    expect(object).toMatchObject({ ours: true, createdByHerald: true });
  });

  it.each<[string, Partial<KnownObject>, Live, string]>([
    ['another maker', { createdBy: 'api_token:1' }, { created_by: PERSON }, 'createdBy'],
    ['an earlier time', { createLeftMs: NOON + 25 * HOUR }, { created_at: AT_NOON }, 'createLeftMs'],
    ['other words', { createdAs: madeAs('Old', 'Old') }, { messages: [{ text: 'Hey' }] }, 'createdAs'],
  ])('is not believed where the service shows %s', (_, known, live, field) => {
    const { object, contradictions } = believed(
      { ...known, contentDigest: 'c', pausedFor: 'replace', supersededBy: '2' },
      live,
    );
    expect(contradictions).toMatchObject([{ field }]);
    expect(object).toMatchObject({
      name: 'Welcome',
      ours: false,
      createdByHerald: false,
      contentDigest: null,
      pausedFor: null,
      supersededBy: null,
    });
  });

  it('still holds Herald back where it is not believed', () => {
    const { object } = believed(
      { createdBy: 'api_token:1', isProtected: true, recalled: true, recallRefused: true },
      { created_by: PERSON },
    );
    expect(object).toMatchObject({ isProtected: true, recalled: true, recallRefused: true });
  });
});

describe('who creates for this workspace', () => {
  const creatorsOf = (known: Partial<KnownObject>, live: Live, creators: string[]) => [
    ...believed(known, live, creators).knowledge.creators,
  ];

  // CONTENT-5
  it('is who an object of ours still names', () => {
    const known = { createdBy: 'api_token:1' };
    expect(creatorsOf(known, { created_by: US }, ['api_token:1', 'user:77'])).toEqual(['api_token:1']);
  });

  it('is not who an adopted object names, or one that the service does not say it of', () => {
    expect(creatorsOf({ createdBy: null }, { created_by: PERSON }, ['user:77'])).toEqual([]);
    expect(creatorsOf({ createdBy: 'user:77' }, { created_by: null }, ['user:77'])).toEqual([]);
  });

  it('is never one whom the live objects contradict', () => {
    expect(creatorsOf({ createdBy: 'user:77' }, { created_by: US }, ['api_token:1', 'user:77'])).toEqual([]);
  });
});
