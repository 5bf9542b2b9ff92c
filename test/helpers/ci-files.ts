import { campaign, declaring } from './declare-live.ts';

/** A campaign of that name, with a text that tells it from the others. */
export const named = (name: string, text = `I am ${name}`) => campaign({ name, messages: [{ text }] });

/** The files that declare these campaigns. */
export const files = (...campaigns: readonly ReturnType<typeof campaign>[]) => declaring({ campaigns });

/** What most stories of a pull request begin with, and what it changes that to. */
export const BEFORE = files(named('One'), named('Two'));
export const AFTER = files(named('One'), named('Two', 'New text'));
