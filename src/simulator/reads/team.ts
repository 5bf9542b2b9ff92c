import { RawJson, type Call } from '../call.ts';
import { pageOf } from '../paging.ts';
import { invalid } from '../refusal.ts';
import type { World } from '../world.ts';
import { METRIC_WRITERS } from './metrics.ts';
import { mix, mixText } from './mix.ts';
import { instantText, nameText } from './words.ts';

const DAY_MS = 86_400_000;

/** Newest first, so that new members between two pages shift the rows (LIST-2). */
export function listMembers(world: World, { query, effects }: Call<'team.members'>): RawJson {
  const { items } = pageOf(membersOf(world), query, effects);
  return new RawJson(`{"users":[${items.map((member) => memberText(world, member)).join(',')}]}`);
}

/**
 * One row for each member that passes all filters. Assumed (READ-8): metrics cover the whole organisation,
 * regardless of the key's accounts. An unknown id matches no member.
 */
export function listMetrics(world: World, { query, effects }: Call<'team.metrics'>): RawJson {
  const days = (Date.parse(query.to) - Date.parse(query.from)) / DAY_MS;
  if (days < 0) throw invalid(world.modes, 'the range ends before it begins', 'to');
  const { user_ids, creator_ids, account_group_id, role_id } = query;
  const members = membersOf(world).filter(
    (member) =>
      (user_ids === undefined || user_ids.includes(memberId(member))) &&
      (creator_ids === undefined || creatorsOf(world, member).some((id) => creator_ids.includes(id))) &&
      (account_group_id === undefined || account_group_id === groupOf(world, member)) &&
      (role_id === undefined || role_id === roleOf(world, member)),
  );
  const { items } = pageOf(members, query, effects);
  return new RawJson(`{"items":[${items.map((member) => metricsText(world, member, days)).join(',')}]}`);
}

/** The numbers of all members, the newest first. */
function membersOf({ data }: World): number[] {
  return Array.from({ length: data.members }, (_, index) => data.members - index);
}

const HUGE_ID_EVERY = 4;

/** An integer in JSON that is sometimes longer than a JavaScript number holds. */
function memberId(member: number): string {
  const digits = String(member);
  return member % HUGE_ID_EVERY === 0 ? `9007199254${digits.padStart(9, '0')}` : `70${digits}`;
}

function seedOf({ data }: World, member: number): number {
  return mix(mixText(data.seed, 'members'), member);
}

/** Assumed: account groups and roles are numbered from 1. The API does not list them (READ-8). */
function groupOf(world: World, member: number): string {
  return String(1 + (mix(seedOf(world, member), 1) % 3));
}

function roleOf(world: World, member: number): string {
  return String(1 + (mix(seedOf(world, member), 2) % 2));
}

/** The accounts of a member: about half of them. */
function creatorsOf(world: World, member: number): string[] {
  const seed = seedOf(world, member);
  return Object.keys(world.accounts).filter((id) => mixText(seed, id) % 2 === 0);
}

const FIRST_JOINED_MS = Date.UTC(2022, 0);

function memberText(world: World, member: number): string {
  const drawn = seedOf(world, member);
  const id = memberId(member);
  return (
    `{"id":${id},"avatar":"https://media.example.com/members/${id}.jpg","name":${nameText(drawn)},` +
    `"email":"member${member}@example.com","createdAt":${instantText(FIRST_JOINED_MS + member * DAY_MS)},` +
    `"customName":${drawn % 3 === 0 ? '""' : nameText(drawn >>> 8)}${closeOf(world)}`
  );
}

function metricsText(world: World, member: number, days: number): string {
  const seed = seedOf(world, member);
  const metrics = Object.entries(METRIC_WRITERS).map(
    ([name, write]) => `"${name}":${write(mixText(seed, name), days)}`,
  );
  const creators = creatorsOf(world, member).join(',');
  return `{"user_id":${memberId(member)},"creator_ids":[${creators}],${metrics.join(',')}${closeOf(world)}`;
}

function closeOf({ modes }: World): string {
  return modes.extraFields ? ',"revision":1}' : '}';
}
