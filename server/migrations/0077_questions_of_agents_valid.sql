-- Validates the constraints on the askers of questions.
-- lock: questions and question_messages, share update exclusive, while their rows are read
-- backfill: none

alter table questions validate constraint questions_subject;
alter table questions validate constraint questions_ended_for;
alter table questions validate constraint questions_asker;
alter table question_messages validate constraint question_messages_author;
alter table question_messages validate constraint question_messages_bound;
alter table question_messages validate constraint question_messages_asker;
