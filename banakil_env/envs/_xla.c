/* Lets XLA call library entries: one handler of its foreign function interface, which is told the source of each word.
 *
 * An entry takes one array of 64-bit words (core/jit/_caller.c): its result, its arguments, and the sizes that its
 * arrays share. A call in a compiled computation has these attributes, which envs/jax_calls.py writes:
 *
 *   entry      the entry's name, as given to `add` in this process
 *   row_bytes  size in bytes of a row in the first input buffer; the size of that buffer gives the number of rows
 *   plan       two numbers for each word after the result: a kind and a value (see `word_of`)
 *   constants  numbers to which the plan refers by index
 *   failed     the end of the error message if the entry's result is not 0; "": the result is ignored
 *
 * The structs below are those of XLA's C interface (xla/ffi/api/c_api.h, version 0.1 and later), which only grow at
 * their ends; a test compares them with the header. So no header of XLA is needed to build this, and one build serves
 * all versions. `struct_size` is checked in every call.
 */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { METADATA = 1, EXECUTE = 3, INVALID_ARGUMENT = 3, INTERNAL = 13 };

typedef struct Extension { size_t struct_size; int type; struct Extension *next; } Extension;
typedef struct { size_t struct_size; Extension *extension; int major, minor; } Version;
typedef struct { size_t struct_size; Version version; uint32_t traits; int64_t state_type; } Metadata;
typedef struct { Extension extension; Metadata *metadata; } MetadataExtension;
typedef struct { size_t struct_size; Extension *extension; const char *message; int code; } ErrorArgs;
typedef struct Error Error;
typedef struct {
    size_t struct_size;
    Extension *extension;
    Version version;
    const void *internal;
    Error *(*make_error)(ErrorArgs *);
} Api;
typedef struct { size_t struct_size; Extension *extension; int dtype; void *data; int64_t rank, *dims; } Buffer;
typedef struct { const char *text; size_t size; } Span;
typedef struct { int dtype; void *value; } Scalar;
typedef struct { int dtype; size_t size; void *data; } Array;
typedef struct { size_t struct_size; Extension *extension; int64_t size; int *types; Buffer **buffers; } Buffers;
typedef struct { size_t struct_size; Extension *extension; int64_t size; int *types; Span **names; void **values; } Attrs;
typedef struct {
    size_t struct_size;
    Extension *extension;
    const Api *api;
    void *context;
    int stage;
    Buffers given, made;
    Attrs attrs;
} Frame;

#define MOST_WORDS 48
#define MOST_ENTRIES 512
#define MOST_NAME 120

typedef int32_t (*Entry)(int64_t *);
static struct { char name[MOST_NAME]; Entry entry; } entries[MOST_ENTRIES];
static atomic_int num_entries; /* incremented after a name is complete, since other threads read the table */

static Error *error(Frame *f, int code, const char *message) {
    ErrorArgs args = {sizeof(ErrorArgs), NULL, message, code};
    return f->api->make_error(&args);
}

static Entry entry_named(const Span *name) {
    for (int i = 0, count = atomic_load(&num_entries); i < count; i++)
        if (strlen(entries[i].name) == name->size && !memcmp(entries[i].name, name->text, name->size))
            return entries[i].entry;
    return NULL;
}

static void *attr(Frame *f, const char *name) {
    for (int64_t i = 0; i < f->attrs.size; i++)
        if (f->attrs.names[i]->size == strlen(name) && !memcmp(f->attrs.names[i]->text, name, strlen(name)))
            return f->attrs.values[i];
    return NULL;
}

static int64_t num_cells(const Buffer *buffer) {
    int64_t cells = 1;
    for (int64_t i = 0; i < buffer->rank; i++) cells *= buffer->dims[i];
    return cells;
}

/* The kinds of words: a number; an input buffer; an output buffer; an output buffer that begins as a copy of an input
 * buffer, with the bytes per row in the upper bits; the number of rows; the numbers of all rows; an index of constants. */
enum { NUMBER, GIVEN, MADE, CHANGED, COUNT, ROWS, CONSTANT };

static int64_t word_of(Frame *f, int64_t kind, int64_t value, int64_t n, int64_t *rows, int64_t *constants) {
    switch (kind) {
    case GIVEN: return (int64_t)(uintptr_t)f->given.buffers[value]->data;
    case MADE: return (int64_t)(uintptr_t)f->made.buffers[value]->data;
    case CHANGED: {
        const Buffer *from = f->given.buffers[value >> 8 & 255], *to = f->made.buffers[value & 255];
        if (from->data != to->data) memcpy(to->data, from->data, (size_t)(n * (value >> 16)));
        return (int64_t)(uintptr_t)to->data;
    }
    case COUNT: return n;
    case ROWS: return (int64_t)(uintptr_t)rows;
    case CONSTANT: return (int64_t)(uintptr_t)(constants + value);
    default: return value;
    }
}

static Error *call_entry(Frame *f) {
    if (f->extension && f->extension->type == METADATA) {
        Metadata *metadata = ((MetadataExtension *)f->extension)->metadata;
        metadata->version.major = 0;
        metadata->version.minor = f->api->version.major == 0 ? f->api->version.minor : 1;
        metadata->traits = 0;
        if (metadata->struct_size >= sizeof(Metadata)) metadata->state_type = 0;
        return NULL;
    }
    if (f->struct_size < sizeof(Frame) || f->given.struct_size != sizeof(Buffers) ||
        f->made.struct_size != sizeof(Buffers) || f->attrs.struct_size != sizeof(Attrs))
        return error(f, INTERNAL, "banakil_env: this version of XLA has another interface for foreign functions");
    if (f->stage != EXECUTE) return NULL;
    const Span *name = attr(f, "entry"), *failed = attr(f, "failed");
    const Array *plan = attr(f, "plan"), *constants = attr(f, "constants");
    const Scalar *row_bytes = attr(f, "row_bytes");
    const Entry entry = name ? entry_named(name) : NULL;
    if (!entry || !plan || !constants || !row_bytes || !failed || plan->size > 2 * MOST_WORDS)
        return error(f, INVALID_ARGUMENT, "banakil_env: a computation of another process; compile it again");
    const int64_t n = num_cells(f->given.buffers[0]) / *(int64_t *)row_bytes->value, *pairs = plan->data;
    int64_t words[1 + MOST_WORDS] = {0}, *rows = NULL;
    for (size_t i = 0; i < plan->size; i += 2)
        if (pairs[i] == ROWS && !rows) {
            rows = malloc(sizeof(int64_t) * (size_t)(n + !n));
            if (!rows) return error(f, INTERNAL, "banakil_env: out of memory");
            for (int64_t row = 0; row < n; row++) rows[row] = row;
        }
    for (size_t i = 0; i < plan->size; i += 2)
        words[1 + i / 2] = word_of(f, pairs[i], pairs[i + 1], n, rows, constants->data);
    const int32_t raised = entry(words);
    free(rows);
    if (raised) return error(f, INTERNAL, "banakil_env: compiled code has left the bounds of an array");
    if (failed->size && words[0]) {
        char text[1000];
        snprintf(text, sizeof text, "%lld of %lld rows %.*s", (long long)words[0], (long long)n, (int)failed->size,
                 failed->text);
        return error(f, INVALID_ARGUMENT, text);
    }
    return NULL;
}

static PyObject *add(PyObject *module, PyObject *args) {
    const char *name;
    unsigned long long address;
    if (!PyArg_ParseTuple(args, "sK", &name, &address)) return NULL;
    const Span wanted = {name, strlen(name)};
    const int count = atomic_load(&num_entries);
    if (entry_named(&wanted)) Py_RETURN_NONE;
    if (wanted.size >= MOST_NAME || count == MOST_ENTRIES)
        return PyErr_Format(PyExc_ValueError, "there is no room for the entry %s", name);
    strcpy(entries[count].name, name);
    entries[count].entry = (Entry)(uintptr_t)address;
    atomic_store(&num_entries, count + 1);
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"add", add, METH_VARARGS, "Register the entry at an address under a name for `handler`."}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_xla", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__xla(void) {
    PyObject *module = PyModule_Create(&definition);
    if (!module) return NULL;
    PyObject *handler = PyCapsule_New((void *)call_entry, NULL, NULL);
    if (!handler || PyModule_AddObjectRef(module, "handler", handler) < 0) {
        Py_XDECREF(handler);
        Py_DECREF(module);
        return NULL;
    }
    Py_DECREF(handler);
    return module;
}
