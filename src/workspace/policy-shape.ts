import * as z from 'zod';
import {
  HOURS_AFTER_DEFAULT,
  MAX_CHANGES_DEFAULT,
  POLICY_LEVELS,
  REQUIRED_FIELD_NAMES,
} from '../domain/policy.ts';

const ZONE_HELP = 'The IANA zone, for instance Europe/Berlin.';

const levelShape = z
  .enum(POLICY_LEVELS)
  .optional()
  .describe('deny (default) holds back the whole run, warn only says so.');

const priceShape = z.number().min(0, 'invalid-price: A price is 0 or more.');
const wordsShape = z
  .array(z.string().regex(/\S/, 'invalid-value: A word has letters.'))
  .describe('Whole words and phrases in any case, or /patterns/ with flags.');
const fieldsShape = z
  .array(z.enum(REQUIRED_FIELD_NAMES))
  .min(1, 'invalid-value: Name at least one field, or remove the rule.');
const clockShape = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid-time: Write HH:MM.');
const changesShape = z.int().min(1);
const perDayShape = z.int().min(0);

/** A rule stated by its setting alone, or as an object that may say its level as well. */
const limit = <Setting extends z.ZodType>(setting: Setting) =>
  z.union([setting, z.strictObject({ limit: setting, level: levelShape })]);

/** `policy:` of `herald.yaml`, as people write it. */
export const policyShape = z.strictObject({
  max_changes: limit(changesShape).optional().describe(`${MAX_CHANGES_DEFAULT} unless said.`),
  max_price_gross: limit(priceShape).optional().describe('No message may cost more.'),
  min_price_gross: limit(priceShape).optional().describe('No message that costs something may cost less.'),
  banned_words: z.union([wordsShape, z.strictObject({ words: wordsShape, level: levelShape })]).optional(),
  quiet_hours: z
    .strictObject({
      from: clockShape,
      to: clockShape,
      timezone: z.string().describe(ZONE_HELP),
      hours_after: z
        .int()
        .min(0)
        .max(24, 'invalid-value: It is at most 24.')
        .optional()
        .describe(
          `How long a broadcast may go on sending after each of its messages is due; ${HOURS_AFTER_DEFAULT} unless said.`,
        ),
      level: levelShape,
    })
    .optional()
    .describe('Local hours in which no broadcast may send; `from` inclusive, `to` exclusive.'),
  max_broadcasts_per_day: z
    .union([
      perDayShape,
      z.strictObject({
        limit: perDayShape,
        timezone: z.string().optional().describe(`${ZONE_HELP} That of quiet_hours unless said, or UTC.`),
        level: levelShape,
      }),
    ])
    .optional()
    .describe('Broadcasts of one account on one day.'),
  required: z
    .union([fieldsShape, z.strictObject({ fields: fieldsShape, level: levelShape })])
    .optional()
    .describe('Fields that everything to be sent must state, where its kind has them.'),
});

export type WrittenPolicy = z.infer<typeof policyShape>;
