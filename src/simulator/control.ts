import { fireTrigger } from './campaigns.ts';
import { dataSettingsShape, setData, type DataSettings } from './data.ts';
import { actAsFan, fanActShape, type FanActInput } from './fan-acts.ts';
import { faultShape, type FaultInput } from './fault-shape.ts';
import { editBroadcast, editCampaign, seedBroadcast, seedCampaign } from './messaging.ts';
import { modesShape, type ModeChanges } from './modes.ts';
import { consultOracle } from './oracle.ts';
import {
  seedShape,
  type AccountEdit,
  type BroadcastSeed,
  type CampaignSeed,
  type Edit,
  type SeedInput,
} from './seed-shape.ts';
import { applyEdit, applySeed, editAccount } from './seeds.ts';
import type { EntryEdit, EntryInput } from './webhook-state.ts';
import { addEntry, editEntry, removeEntry } from './webhooks.ts';
import { putAccount, putKey, type AccountSeed, type KeySeed, type World } from './world.ts';

/**
 * What happens to the service outside the API: time, people and faults. `catchUp` brings the world to the current time
 * before each change. What is returned is a copy.
 */
export function createControl(world: World, catchUp: () => void) {
  const present = <Result>(act: () => Result): Result => {
    catchUp();
    return structuredClone(act());
  };
  return {
    /** Moves virtual time forward and runs everything that becomes due. Returns the new time. */
    advance(ms: number): number {
      if (!(ms >= 0)) throw new RangeError('time moves forward only');
      catchUp();
      world.clockOffsetMs += ms;
      catchUp();
      return world.nowMs;
    },
    /** The virtual time in epoch milliseconds. */
    now: () => present(() => world.nowMs),
    addAccount: (seed: AccountSeed): void => void putAccount(world, seed),
    seedCampaign: (accountId: string, seed: CampaignSeed = {}) =>
      present(() => seedCampaign(world, accountId, seed).live),
    seedBroadcast: (accountId: string, seed: BroadcastSeed = {}) =>
      present(() => seedBroadcast(world, accountId, seed).live),
    /** Adds to an account what a person or a fan would add. */
    seed: (seed: SeedInput) => present(() => applySeed(world, seedShape.parse(seed))),
    /** Changes something as a person does on the service's own screens. */
    edit: (edit: Edit) => present(() => applyEdit(world, edit)),
    editCampaign: (accountId: string, id: string, set: CampaignSeed) =>
      present(() => editCampaign(world, accountId, { id }, set).live),
    editBroadcast: (accountId: string, id: string, set: BroadcastSeed) =>
      present(() => editBroadcast(world, accountId, { id }, set).live),
    editAccount: (accountId: string, set: AccountEdit) => present(() => editAccount(world, accountId, set)),
    /** Adds a key, or changes or revokes the key with the same text, while the service runs. */
    addKey: (seed: KeySeed): void => putKey(world, seed),
    addFault: (fault: FaultInput): void =>
      void world.faults.push({ fault: faultShape.parse(fault), seen: 0, struck: 0 }),
    clearFaults(): void {
      world.faults = [];
    },
    setModes(modes: ModeChanges): void {
      world.modes = modesShape.parse({ ...world.modes, ...modes });
    },
    /** Sets the number of rows in the lists of traffic, revenue and team. */
    setData: (settings: DataSettings): void =>
      present(() => setData(world, dataSettingsShape.parse(settings))),
    /** A fan fires a trigger. Returns the number of campaigns that queued a send. */
    fireTrigger: (accountId: string, trigger: string, fanId: string) =>
      present(() => fireTrigger(world, accountId, trigger, fanId)),
    /** A fan tips, subscribes, buys, replies or reads. */
    fanActs: (act: FanActInput) => present(() => actAsFan(world, fanActShape.parse(act))),
    /** The addresses that get events. */
    webhooks: () => present(() => world.webhooks.entries),
    addWebhook: (entry: EntryInput) => present(() => addEntry(world, entry)),
    editWebhook: (id: string, edit: EntryEdit) => present(() => editEntry(world, id, edit)),
    removeWebhook: (id: string): void => present(() => removeEntry(world, id)),
    /** All data, as it is. */
    world: (): World => (catchUp(), world),
    /** The true state of the world. */
    oracle: () => present(() => consultOracle(world)),
  };
}
export type Control = ReturnType<typeof createControl>;
