INSERT INTO things VALUES (99, 't', NULL, 'x', 1, 1, 1, '')
UPDATE things SET name = 'x'
DELETE FROM things
DROP TABLE things
CREATE TABLE t (a)
CREATE TEMP TABLE t AS SELECT * FROM things
CREATE VIEW v AS SELECT 1
CREATE INDEX i ON things (name)
CREATE TRIGGER r AFTER INSERT ON things BEGIN SELECT 1; END
CREATE VIRTUAL TABLE f USING fts5(a)
ALTER TABLE things ADD COLUMN b
ALTER TABLE things RENAME TO t
REPLACE INTO things (name) VALUES ('x')
ATTACH ':memory:' AS other
ATTACH '/tmp/evil.db' AS other
DETACH main
PRAGMA query_only = OFF
PRAGMA writable_schema = ON
PRAGMA hard_heap_limit = 0
PRAGMA table_info(things)
SELECT * FROM pragma_table_info('things')
SELECT * FROM pragma_database_list
SELECT * FROM sqlite_master
SELECT * FROM sqlite_schema
SELECT sql FROM sqlite_temp_master
VACUUM
VACUUM INTO '/tmp/evil.db'
REINDEX
ANALYZE
BEGIN
COMMIT
ROLLBACK
SAVEPOINT s
RELEASE s
EXPLAIN SELECT 1
EXPLAIN QUERY PLAN SELECT * FROM things
SELECT load_extension('evil')
SELECT readfile('/etc/passwd')
SELECT writefile('/tmp/x', 'y')
SELECT edit('x')
SELECT fts3_tokenizer('x')
SELECT randomblob(1000000000)
SELECT zeroblob(1000000000)
SELECT hex(zeroblob(1000000))
SELECT printf('%1000000000d', 1)
SELECT format('%.*c', 1000000000, 'x')
SELECT replace(name, 'a', name) FROM things
SELECT char(65)
SELECT quote(name) FROM things
SELECT sqlite_version()
SELECT changes()
SELECT last_insert_rowid()
SELECT random()
SELECT 1; SELECT 2
SELECT 1; DROP TABLE things
SELECT 1; ; UPDATE things SET name = 'x'

;
-- nothing
WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT count(*) FROM r
WITH RECURSIVE r(s) AS (SELECT 'x' UNION ALL SELECT s || s FROM r) SELECT length(s) FROM r
WITH t AS (SELECT 1) DELETE FROM things
INSERT INTO things SELECT * FROM things
UPDATE things SET name = 'x' RETURNING name
DELETE FROM things RETURNING *
SELECT count(*) FROM things a, things b, things c, things d, things e, things f, things g, things h
SELECT a.name FROM things a, things b, things c, things d
SELECT a.name || b.name FROM things a, things b, things c, things d ORDER BY 1
SELECT group_concat(a.name || b.name || c.name || d.name) FROM things a, things b, things c, things d
SELECT DISTINCT a.name, b.name, c.name, d.name, e.name FROM things a, things b, things c, things d, things e
SELECT sum(length(a.name || b.name)) FROM things a, things b, things c, things d, things e, things f, things g
SELECT * FROM json_each('[1]')
SELECT * FROM generate_series(1, 1000000000)
SELECT json_group_array(name) FROM things
SELECT writable FROM things
