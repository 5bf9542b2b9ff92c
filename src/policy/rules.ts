import type { PolicyRule } from './rule.ts';
import { bannedWords } from './rules/banned-words.ts';
import { broadcastsPerDay } from './rules/broadcasts-per-day.ts';
import { maxPrice, minPrice } from './rules/prices.ts';
import { quietHours } from './rules/quiet-hours.ts';
import { required } from './rules/required.ts';
import { maxChanges, missed } from './rules/runs.ts';

/** Their order is that of outputs. A rule that takes a default from another one comes after it. */
const RULES = [
  maxChanges,
  maxPrice,
  minPrice,
  bannedWords,
  quietHours,
  broadcastsPerDay,
  required,
  missed,
] as const;

/** Every rule of `policy:`. Parsing, plans, `policy test`, the JSON schemas and the reference all read this table. */
export const POLICY_RULES: readonly PolicyRule[] = RULES;

type Rule = (typeof RULES)[number];

/** The settings of a policy with their types, by the key of their rule. */
export type PolicySettings = {
  readonly [One in Rule as One['key']]?: NonNullable<Parameters<One['describe']>[0]>;
};
