import * as z from 'zod/mini';
import { withCode } from '../domain/coded-message.ts';
import { filledShape } from '../domain/value-shapes.ts';
import { withHelp } from '../domain/with-help.ts';
import { LIST_STYLES, SERVICE_DEFAULTS } from '../domain/workspace.ts';
import { UNQUOTED_ID } from './unquoted-id.ts';

/* The parts of `herald.yaml` that are not about resources, as written. */

const WORD = /^[A-Za-z][A-Za-z0-9._-]*$/;

/** A name that the workspace gives to an account or a group. */
export const aliasShape = z
  .string()
  .check(
    z.regex(
      WORD,
      withCode('invalid-alias', 'Begin it with a letter, and use only letters, digits, ".", "_" and "-".'),
    ),
  );

const wordsShape = z.array(filledShape);
const platformShape = z.optional(filledShape);
const secondsShape = z
  .number()
  .check(
    z.positive(withCode('invalid-value', 'Write a number above 0.')),
    z.maximum(3600, withCode('invalid-value', 'Write at most 3600.')),
  );

/** `service:` */
export const serviceShape = z.strictObject({
  base_url: withHelp(
    'Address of the service, https://… . ${NAME} inserts an environment variable.',
    z.optional(filledShape),
  ),
  simulator: withHelp(
    'Instead of base_url: an embedded simulator, saved in this file.',
    z.optional(filledShape),
  ),
  auth_header: withHelp(
    `Header for the key. Default: ${SERVICE_DEFAULTS.authHeader}.`,
    z.optional(filledShape),
  ),
  platforms: z.optional(z.strictObject({ primary: platformShape, secondary: platformShape })),
  request_timeout_sec: withHelp(`Default: ${SERVICE_DEFAULTS.requestTimeoutSec}.`, z.optional(secondsShape)),
  settle_sec: withHelp(
    `How long a request without an answer may still succeed. Default: ${SERVICE_DEFAULTS.settleSec}.`,
    z.optional(secondsShape),
  ),
  rate_share: withHelp(
    `Share of every published rate that Herald uses. Default: ${SERVICE_DEFAULTS.rateShare}.`,
    z.optional(
      z
        .number()
        .check(
          z.positive(withCode('invalid-value', 'Write a number above 0.')),
          z.maximum(1, withCode('invalid-value', 'Write at most 1.')),
        ),
    ),
  ),
  list_style: withHelp(
    `How lists are written in queries. Default: ${SERVICE_DEFAULTS.listStyle}.`,
    z.optional(z.enum(LIST_STYLES)),
  ),
  known_kinds: withHelp(
    'Kinds of audience filters that exist on the service but are not documented.',
    z.optional(wordsShape),
  ),
  known_triggers: withHelp(
    'Triggers that exist on the service but are not documented.',
    z.optional(wordsShape),
  ),
  known_media_types: withHelp(
    'Types of attachments that exist on the service but are not documented.',
    z.optional(wordsShape),
  ),
  known_online_check_modes: withHelp(
    'Values of rules.online_check_mode that exist on the service but are not documented.',
    z.optional(wordsShape),
  ),
});

/** One account of `accounts:`. */
export const accountShape = z.strictObject({
  id: z.optional(
    z
      .string(UNQUOTED_ID)
      .check(
        z.regex(
          /^(?:0|[1-9]\d{0,18})$/,
          withCode('invalid-id', 'Write up to 19 digits without leading zeros, in quotes.'),
        ),
      ),
  ),
  username: z.optional(filledShape),
  custom_label: z.optional(filledShape),
  platform_account_id: withHelp(
    'The id on the platform. Alone, or next to `id`: lists of traffic, revenue and payouts use it.',
    z.optional(z.string(UNQUOTED_ID).check(z.minLength(1))),
  ),
  platform: withHelp(
    'Its platform. Only transactions can be read on the secondary one.',
    z.optional(z.enum(['primary', 'secondary'])),
  ),
  vars: withHelp(
    'Values of {{variable}} for this account.',
    z.optional(
      z.record(
        z
          .string()
          .check(
            z.regex(
              /^[A-Za-z_]\w*$/,
              withCode('invalid-variable', 'Begin it with a letter, and use only letters, digits and "_".'),
            ),
          ),
        z
          .string({ error: withCode('invalid-type', 'Put the variable in quotes.') })
          .check(
            z.refine(
              (text) => !text.includes('{{'),
              withCode('invalid-variable', 'A variable cannot contain another one.'),
            ),
          ),
      ),
    ),
  ),
});

/** A branch is written into commands, so only plain names are accepted. */
const PLAIN_BRANCH = /^(?!.*(?:\.\.|\.lock$))[A-Za-z0-9_][\w.-]*(?:\/[A-Za-z0-9_][\w.-]*)*$/;

/** `state:` */
export const stateShape = withHelp(
  'Where the state and the lease are kept.',
  z.union([
    withHelp('In the folder of the workspace. The default.', z.literal('.herald')),
    z.strictObject({
      postgres: withHelp(
        'The variable with the address of the database.',
        z
          .string()
          .check(
            z.regex(
              /^\$\{HERALD_\w+\}$/,
              'Write ${HERALD_STATE_URL}: the address has a password, so it is not written here',
            ),
          ),
      ),
      workspace: withHelp(
        'The name of this workspace in the database.',
        z.string().check(z.regex(/\S/), z.maxLength(100)),
      ),
      lease_sec: withHelp(
        'A run that stops renewing loses its lease after this.',
        z.optional(z.number().check(z.minimum(10), z.maximum(3600))),
      ),
      retry_sec: withHelp(
        'How long a transaction is repeated if the database is gone.',
        z.optional(z.number().check(z.minimum(0), z.maximum(3600))),
      ),
    }),
    z.strictObject({
      git_branch: withHelp(
        'A branch of this repository that the jobs of CI write, in place of a database.',
        z.string().check(z.maxLength(100), z.regex(PLAIN_BRANCH, 'Write the name of a branch: herald-state')),
      ),
      remote: withHelp(
        'The name of the remote that has the branch. Default: origin.',
        z.optional(z.string().check(z.regex(/^[A-Za-z0-9_][\w.-]*$/, 'Write the name of a remote: origin'))),
      ),
    }),
  ]),
);

export type WrittenService = z.infer<typeof serviceShape>;
export type WrittenAccount = z.infer<typeof accountShape>;
