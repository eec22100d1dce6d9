-- Each saved response had a job that deleted it. The recurring job deletes them all.
DELETE FROM "jobs" WHERE "kind" = 'forget_answers';
