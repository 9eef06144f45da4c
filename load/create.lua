-- Sends POST /tasks, each with its own Idempotency-Key. LEGWORK_KEYS is a file with one API key per line.
local keys = {}
for line in io.lines(os.getenv('LEGWORK_KEYS')) do keys[#keys + 1] = line end

local body = [[{"type":"verification","description":"Please go to the shop at the address in the context and check whether the opening hours on the door match the website; take one photo of the door sign so that the hours can be read, and say in one sentence if anything differs. Be polite.","budget_cents":%d,"urgency":"standard","proof_required":"photo","deadline":"2h","context":{"location":"Main street %d","metadata":{"k":"v"}}}]]
local run = tostring(os.time()) .. tostring(math.random(1000000000))
local sent = 0
math.randomseed(os.time())

request = function()
  sent = sent + 1
  return wrk.format('POST', '/api/v1/tasks', {
    ['content-type'] = 'application/json',
    ['authorization'] = 'Bearer ' .. keys[math.random(#keys)],
    ['idempotency-key'] = run .. '-' .. sent,
  }, body:format(math.random(300, 2000), math.random(1000000000)))
end

done = function(summary, latency)
  io.write(string.format('RESULT %d %d %d %d %d %d\n', summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), summary.errors.status,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.timeout))
end
