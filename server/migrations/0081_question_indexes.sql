-- Indexes of questions by agent, and of answers by time.
-- lock: questions and question_messages, share, while each is read once; they have few rows
-- backfill: none

-- squawk-ignore require-concurrent-index-creation
create index if not exists questions_of_agent on questions (agent_id, id);
-- squawk-ignore require-concurrent-index-creation
create index if not exists question_messages_waited on question_messages (created_at) where waited_seconds is not null;
