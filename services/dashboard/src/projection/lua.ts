import { SIGNALS } from '@po/contracts';
import type { Scripts } from '@po/redis';

/** Maximum status changes in a feed. */
const FEED_LENGTH = 20;
/** Keys per scan step. */
const SCAN_COUNT = 500;

// Detects that Redis lost records that it confirmed to this process, for example by failing over to an older copy. Compares counts instead
// of offsets: records of a partition are applied out of order, so a lost one may be below the highest offset.
const HAS_LOST_RECORDS = `
local function hasLostRecords(prefix, generation, knownGeneration, known)
  if tonumber(generation) ~= tonumber(knownGeneration) then
    return tonumber(generation) < tonumber(knownGeneration)
  end
  for i = 1, #known, 2 do
    local applied = redis.call('HGET', prefix .. ':' .. generation .. ':positions', known[i] .. '/applied')
    if tonumber(applied or '0') < tonumber(known[i + 1]) then return true end
  end
  return false
end
local function rest(from)
  local values = {}
  for i = from, #ARGV do values[#values + 1] = ARGV[i] end
  return values
end
`;

/** Every script that reads or writes the projection. */
export const SCRIPTS = {
  /**
   * Replaces the stored state of an order by a newer one, and signals the order to gateways unless a rebuild does it.
   * KEYS current, building, changed. ARGV prefix, target ('' = the current generation or, without one, the generation being built; else the
   * generation to write, only while it is being built), "<topic>/<partition>", offset, known generation, known applied, poRef ('' = only record
   * the offset), version, vendor, status, epoch milliseconds before which activities are omitted (0 = none are), the vendor's name, epoch
   * milliseconds of the order's version, then id, epoch milliseconds and JSON of each activity.
   * Activities may be omitted only if the vendor's feed has no room for them; otherwise the outcome is 'left-out' and nothing changes.
   * -> { outcome, generation, applied, epoch milliseconds of the oldest activity in the vendor's feed if it is full, else 0 }
   */
  applyState: {
    numberOfKeys: 3,
    lua: `${HAS_LOST_RECORDS}
local prefix, target, partition, offset = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local poRef, version, vendor, status, floor = ARGV[7], tonumber(ARGV[8]), ARGV[9], ARGV[10], tonumber(ARGV[11])
local current, building = redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2])
local generation = building
if target == '' then generation = current or building elseif target ~= building then generation = false end
if not generation then return { 'no-generation', '0', 0, '0' } end
if hasLostRecords(prefix, generation, ARGV[5], { partition, ARGV[6] }) then
  redis.call('DEL', KEYS[1], KEYS[2])
  return { 'records-lost', '0', 0, '0' }
end

local base = prefix .. ':' .. generation .. ':'
local vendorFeed = base .. 'feed:' .. vendor
-- Instant below which an activity of the vendor would be trimmed immediately.
local function oldestInFeed()
  if redis.call('ZCARD', vendorFeed) < ${FEED_LENGTH} then return 0 end
  return tonumber(redis.call('ZRANGE', vendorFeed, 0, 0, 'WITHSCORES')[2])
end
if floor > 0 and oldestInFeed() < floor then return { 'left-out', '0', 0, '0' } end

local function trim(feed, entries)
  local extra = redis.call('ZCARD', feed) - ${FEED_LENGTH}
  if extra <= 0 then return end
  local ids = redis.call('ZRANGE', feed, 0, extra - 1)
  redis.call('ZREMRANGEBYRANK', feed, 0, extra - 1)
  if entries then redis.call('HDEL', entries, unpack(ids)) end
end

-- Returns whether the version is newer than the stored one, and whether it equals the stored one.
local function move()
  local stored = redis.call('HGET', base .. 'orders', poRef)
  if stored then
    local storedVersion, storedStatus, storedVendor = string.match(stored, '^(%d+) (%d+) (.*)$')
    if tonumber(storedVersion) >= version then return false, tonumber(storedVersion) == version end
    redis.call('HINCRBY', base .. 'counts', storedStatus, -1)
    redis.call('HINCRBY', base .. 'counts:' .. storedVendor, storedStatus, -1)
  end
  redis.call('HSET', base .. 'orders', poRef, ARGV[8] .. ' ' .. status .. ' ' .. vendor)
  redis.call('HINCRBY', base .. 'counts', status, 1)
  redis.call('HINCRBY', base .. 'counts:' .. vendor, status, 1)
  -- Partitions have no common order: the name of the latest version wins, not the one that arrives last.
  local name = redis.call('HGET', base .. 'vendors', vendor)
  if not name or tonumber(string.match(name, '^%d+')) <= tonumber(ARGV[13]) then
    redis.call('HSET', base .. 'vendors', vendor, ARGV[13] .. ' ' .. ARGV[12])
  end
  for i = 14, #ARGV, 3 do
    redis.call('ZADD', base .. 'feed', ARGV[i + 1], ARGV[i])
    redis.call('ZADD', vendorFeed, ARGV[i + 1], ARGV[i])
    redis.call('HSET', base .. 'entries', ARGV[i], ARGV[i + 2])
    trim(base .. 'feed')
    -- An entry that does not fit into its vendor's feed is in no feed, because the feed of all vendors has more candidates.
    trim(vendorFeed, base .. 'entries')
  end
  return true
end

local applied = redis.call('HINCRBY', base .. 'positions', partition .. '/applied', 1)
if offset > tonumber(redis.call('HGET', base .. 'positions', partition) or '-1') then
  redis.call('HSET', base .. 'positions', partition, ARGV[4])
end
local moved, known = false, false
if poRef ~= '' then moved, known = move() end
-- Also signals a known version: a rebuild, which sends no signals, may have stored it before its own record arrived. A redelivered record
-- is signalled again. A failed signal must not prevent counting.
if (moved or known) and target == '' then
  redis.pcall('XADD', KEYS[3], 'MAXLEN', '~', ${SIGNALS.orders.entries}, '*',
    'poRef', poRef, 'version', ARGV[8], 'statusId', status, 'vendorCode', vendor)
end
return { moved and 'applied' or 'duplicate', generation, applied, string.format('%.0f', oldestInFeed()) }
`,
  },

  /** KEYS current. ARGV prefix, scope suffix, status ids. -> counts, or nil without a generation */
  readCounts: {
    numberOfKeys: 1,
    lua: `
local generation = redis.call('GET', KEYS[1])
if not generation then return false end
return redis.call('HMGET', ARGV[1] .. ':' .. generation .. ':counts' .. ARGV[2], unpack(ARGV, 3))
`,
  },

  /** KEYS current. ARGV prefix, scope suffix. -> JSON texts, newest first, or nil without a generation */
  readFeed: {
    numberOfKeys: 1,
    lua: `
local generation = redis.call('GET', KEYS[1])
if not generation then return false end
local base = ARGV[1] .. ':' .. generation .. ':'
local ids = redis.call('ZREVRANGE', base .. 'feed' .. ARGV[2], 0, ${FEED_LENGTH - 1})
if #ids == 0 then return {} end
local entries = redis.call('HMGET', base .. 'entries', unpack(ids))
for i, entry in ipairs(entries) do
  local activity = cjson.decode(entry)
  -- If the previous release filled the generation, only the entry has a name.
  local name = redis.call('HGET', base .. 'vendors', activity.vendorCode)
  if name then
    activity.vendor = string.match(name, '^%d+ (.*)$')
    entries[i] = cjson.encode(activity)
  end
end
return entries
`,
  },

  /** KEYS current, building. ARGV prefix, known generation, then partition and known applied of each. -> { current or '', records lost } */
  checkApplied: {
    numberOfKeys: 2,
    lua: `${HAS_LOST_RECORDS}
-- A write as a probe: a replica or a full Redis rejects only writes, so its counts would be outdated.
redis.call('SET', ARGV[1] .. ':probed', 1, 'PX', 60000)
local current = redis.call('GET', KEYS[1])
local generation = current or redis.call('GET', KEYS[2])
if generation and hasLostRecords(ARGV[1], generation, ARGV[2], rest(3)) then
  redis.call('DEL', KEYS[1], KEYS[2])
  return { '', 1 }
end
return { current or '', 0 }
`,
  },

  /** KEYS current, building. ARGV generation. Discards a generation that lost records. -> 1 if it was the current one */
  discardGeneration: {
    numberOfKeys: 2,
    lua: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
return 1
`,
  },

  /**
   * KEYS lock, current, building. ARGV token, milliseconds. -> a new generation, greater than all previous ones, or nil while another
   * rebuilder holds the lock or there is a current generation
   */
  beginBuild: {
    numberOfKeys: 3,
    lua: `
if redis.call('GET', KEYS[2]) then return false end
if not redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return false end
local time = redis.call('TIME')
local generation = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
generation = string.format('%.0f', math.max(generation, tonumber(redis.call('GET', KEYS[3]) or '0') + 1))
redis.call('SET', KEYS[3], generation)
return generation
`,
  },

  /** KEYS lock. ARGV token, milliseconds. -> 1, or 0 if this rebuilder no longer holds the lock */
  renewLock: {
    numberOfKeys: 1,
    lua: `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])
`,
  },

  /**
   * KEYS lock, current, building. ARGV prefix, token, generation, then partition and known applied of each. Makes the built generation the
   * current one. -> 1, or 0 if this rebuilder no longer owns the lock or the generation, or if records were lost
   */
  finishBuild: {
    numberOfKeys: 3,
    lua: `${HAS_LOST_RECORDS}
-- A cluster connection that breaks before the reply sends the command again.
if redis.call('GET', KEYS[2]) == ARGV[3] then return 1 end
if redis.call('GET', KEYS[1]) ~= ARGV[2] or redis.call('GET', KEYS[3]) ~= ARGV[3] then return 0 end
if hasLostRecords(ARGV[1], ARGV[3], ARGV[3], rest(4)) then return 0 end
redis.call('SET', KEYS[2], ARGV[3])
redis.call('DEL', KEYS[1], KEYS[3])
return 1
`,
  },

  /**
   * KEYS current. ARGV prefix, prefix as a pattern, generation, cursor. Removes some keys of generations before this one, except the current
   * one; other rebuilders may start newer ones at any time. A script, so that it runs on the cluster node with the keys and does not return their names. -> the
   * next cursor, "0" at the end
   */
  removeOlder: {
    numberOfKeys: 1,
    lua: `
local current = tonumber(redis.call('GET', KEYS[1]) or '0')
local found = redis.call('SCAN', ARGV[4], 'MATCH', ARGV[2] .. ':*:*', 'COUNT', ${SCAN_COUNT})
for _, key in ipairs(found[2]) do
  local generation = tonumber(string.match(string.sub(key, #ARGV[1] + 2), '^%d+'))
  if generation and generation < tonumber(ARGV[3]) and generation ~= current then redis.call('UNLINK', key) end
end
return found[1]
`,
  },

  /** KEYS lock, building. ARGV token, generation. */
  abandonBuild: {
    numberOfKeys: 2,
    lua: `
if redis.call('GET', KEYS[2]) == ARGV[2] then redis.call('DEL', KEYS[2]) end
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 1
`,
  },
} satisfies Scripts;
