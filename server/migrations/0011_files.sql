-- Files of proofs: uploads on their way, what was stored, and fingerprints of every photo there ever was.
-- lock: none (new tables)
-- backfill: none

-- One file. It lives on its task's shard; the bytes are in the store under `store_key`.
create table files (
  id                   text collate "C" primary key,
  worker_id            text collate "C" not null,
  task_id              text collate "C" not null,
  assignment_id        text collate "C" not null,
  -- Set when a proof takes it; a file without one is swept a day later.
  proof_id             text collate "C",
  kind                 text not null check (kind in ('photo', 'video', 'audio')),
  -- begun: bytes are awaited; received: all are there, unchecked; ready: checked, cleaned, can be shown; refused.
  status               text not null check (status in ('begun', 'received', 'ready', 'refused')),
  content_type         text not null,
  -- As announced for an upload, as measured once ready.
  bytes                bigint not null check (bytes > 0),
  received_bytes       bigint not null default 0,
  -- Of the bytes as they were sent, announced beforehand for an upload; and of those that are kept.
  sha256               text collate "C" not null,
  stored_sha256        text collate "C",
  store_key            text collate "C",
  width                integer,
  height               integer,
  -- Of a photo: its 64-bit difference hash in hex; null while unchecked, and when there is too little in the picture.
  dhash                text collate "C",
  -- What the file itself said and what was measured: {lat?, lng?, taken_at?, brightness?, …}. The place and the time
  -- are cut out of what is kept.
  evidence             json,
  checks               json not null default '[]',
  refusal              text,
  created_at           timestamptz not null,
  expires_at           timestamptz not null
);
create index files_of_proof on files (proof_id) where proof_id is not null;
create index files_of_assignment on files (assignment_id);
create index files_of_worker on files (worker_id, created_at);
create index files_unused on files (expires_at) where proof_id is null;

-- Fingerprints of photos, over all tasks and workers: a directory of its own, not a part of any shard.
create table photo_hashes (
  file_id              text collate "C" primary key,
  worker_id            text collate "C" not null,
  task_id              text collate "C" not null,
  sha256               text collate "C" not null,
  -- 64-bit difference hash. Two photos at a distance of 10 bits or less agree, but for 2 bits, in at least one
  -- of its four 16-bit quarters, and each quarter has an index. Null when there is too little in the picture to tell it
  -- from others: then only its bytes are compared.
  dhash                bigint,
  created_at           timestamptz not null
);
create index photo_hashes_sha256 on photo_hashes (sha256);
create index photo_hashes_quarter0 on photo_hashes ((dhash & 65535));
create index photo_hashes_quarter1 on photo_hashes (((dhash >> 16) & 65535));
create index photo_hashes_quarter2 on photo_hashes (((dhash >> 32) & 65535));
create index photo_hashes_quarter3 on photo_hashes (((dhash >> 48) & 65535));

grant select, insert, delete on files to legwork_app;
grant update (proof_id, status, content_type, bytes, received_bytes, stored_sha256, store_key, width, height, dhash,
              evidence, checks, refusal, expires_at) on files to legwork_app;
grant select, insert, delete on photo_hashes to legwork_app;
