/* Calls an entry of a library from Python, through a function that checks every argument.
 *
 * An entry takes one array of 64-bit words: [0] its result, then its arguments in order (addresses and numbers), then
 * the sizes that its arrays share. Compiled code trusts its arguments, so an array must be of the declared dtype,
 * contiguous, aligned, writable if the entry writes into it, and of the declared shape: each dimension has a fixed size,
 * or a size that it shares with other arrays. calling.py is the same in Python, for an installation without this
 * extension.
 *
 * function(address, name, params, sizes, result, releases, held) makes such a function:
 *   params: a tuple for each argument: (name, 'i') for a signed number, (name, 'u') for an unsigned number, or (name,
 *     'a', dtype, itemsize, alignment, written, below, dims, narrow) for an array. An item of dims is a fixed size, or
 *     -1 - i for the i-th shared size. below is the index of a shared size that all its numbers (int64) must be less
 *     than, or -1. narrow is another dtype that a call accepts and converts, or None.
 *   sizes: the number of shared sizes.
 *   result: whether the entry has a result. releases: whether a call releases the interpreter lock.
 *   held: a tuple of fixed arguments (their arrays are kept alive, and their memory in place), with None for each
 *     argument that the calls provide.
 */
#define Py_LIMITED_API 0x030B0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#define MOST_WORDS 48
#define MOST_DIMS 4

typedef struct {
    PyObject *name, *dtype, *narrow; /* dtype and narrow are NULL for a number */
    char kind;              /* 'i', 'u' or 'a' */
    int written, ndim, below; /* below: index of a shared size that limits all numbers, -1: none */
    Py_ssize_t itemsize, alignment, dims[MOST_DIMS];
} Param;

typedef struct {
    PyObject_HEAD
    int32_t (*entry)(int64_t *);
    PyObject *name;
    int result, releases, binding, num_params, num_sizes, num_open; /* binding: true while the function is made */
    int open[MOST_WORDS]; /* the params that a call provides */
    Param params[MOST_WORDS];
    Py_buffer held[MOST_WORDS];
    int64_t words[1 + 2 * MOST_WORDS];
} Function;

static PyObject *refuse(Function *f, Param *p, const char *what, PyObject *given) {
    PyErr_Format(PyExc_TypeError, "%U(): %U must be %s, and was %.200R", f->name, p->name, what, given);
    return NULL;
}

static int take_number(Function *f, Param *p, PyObject *given, int64_t *word) {
    PyObject *number = PyNumber_Index(given);
    if (!number) {
        PyErr_Clear();
        refuse(f, p, "a whole number", given);
        return -1;
    }
    *word = p->kind == 'u' ? (int64_t)PyLong_AsUnsignedLongLong(number) : (int64_t)PyLong_AsLongLong(number);
    Py_DECREF(number);
    return *word == -1 && PyErr_Occurred() ? -1 : 0;
}

static int take_array(Function *f, Param *p, PyObject *given, int64_t *word, int64_t *sizes, Py_buffer *view) {
    PyObject *dtype = PyObject_GetAttrString(given, "dtype");
    int same = dtype == p->dtype ? 1 : dtype ? PyObject_RichCompareBool(dtype, p->dtype, Py_EQ) : 0;
    if (!same && dtype && !f->binding && p->narrow != Py_None &&
        PyObject_RichCompareBool(dtype, p->narrow, Py_EQ) == 1) {
        PyObject *converted = PyObject_CallMethod(given, "astype", "O", p->dtype);
        Py_DECREF(dtype);
        if (!converted) return -1;
        int failed = take_array(f, p, converted, word, sizes, view);
        Py_DECREF(converted); /* the view keeps it alive */
        return failed;
    }
    if (same < 1) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%U(): %U must be an array of %.200R, and was %.200R", f->name, p->name, p->dtype,
                     dtype ? dtype : (PyObject *)Py_TYPE(given));
        Py_XDECREF(dtype);
        return -1;
    }
    Py_DECREF(dtype);
    if (PyObject_GetBuffer(given, view, PyBUF_C_CONTIGUOUS | (p->written ? PyBUF_WRITABLE : 0)) < 0) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%U(): %U must be a contiguous%s array", f->name, p->name,
                     p->written ? ", writable" : "");
        return -1;
    }
    if (view->ndim != p->ndim || view->itemsize != p->itemsize || (uintptr_t)view->buf % p->alignment) {
        PyErr_Format(PyExc_TypeError, "%U(): %U must be an aligned array of %d dimensions", f->name, p->name, p->ndim);
        PyBuffer_Release(view);
        return -1;
    }
    for (int i = 0; i < p->ndim; i++) {
        Py_ssize_t dim = p->dims[i], size = view->shape[i];
        int64_t *shared = dim < 0 ? sizes + (-1 - dim) : NULL;
        if (shared && *shared < 0) *shared = size;
        int64_t wanted = shared ? *shared : dim;
        if (size != wanted) {
            PyErr_Format(PyExc_ValueError, "%U(): the size of %U along axis %d must be %lld, and was %zd", f->name,
                         p->name, i, (long long)wanted, size);
            PyBuffer_Release(view);
            return -1;
        }
    }
    *word = (int64_t)(uintptr_t)view->buf;
    return 0;
}

static int check_below(Function *f, int place, const int64_t *words) {
    Param *p = f->params + place;
    if (p->kind != 'a' || p->below < 0) return 0;
    const int64_t *sizes = words + 1 + f->num_params, *numbers = (const int64_t *)(uintptr_t)words[1 + place];
    int64_t count = sizes[-1 - p->dims[0]], below = sizes[p->below];
    for (int64_t i = 0; i < count; i++)
        if (numbers[i] < 0 || numbers[i] >= below) {
            PyErr_Format(PyExc_IndexError, "%U(): %U must be numbers from 0 to %lld, and has %lld", f->name, p->name,
                         (long long)below - 1, (long long)numbers[i]);
            return -1;
        }
    return 0;
}

static PyObject *call(PyObject *self, PyObject *const *args, Py_ssize_t count) {
    Function *f = (Function *)self;
    if (count != f->num_open)
        return PyErr_Format(PyExc_TypeError, "%U() takes %d arguments, but %zd were given", f->name, f->num_open,
                            count);
    int64_t words[1 + 2 * MOST_WORDS], *sizes = words + 1 + f->num_params;
    Py_buffer views[MOST_WORDS];
    int num_views = 0, failed = 0;
    int32_t raised = 0;
    for (int i = 0; i < 1 + f->num_params + f->num_sizes; i++) words[i] = f->words[i];
    for (int i = 0; i < count && !failed; i++) {
        Param *p = f->params + f->open[i];
        int64_t *word = words + 1 + f->open[i];
        if (p->kind != 'a')
            failed = take_number(f, p, args[i], word);
        else if (!(failed = take_array(f, p, args[i], word, sizes, views + num_views)))
            num_views++;
    }
    for (int i = 0; i < count && !failed; i++) failed = check_below(f, f->open[i], words);
    if (!failed) {
        if (f->releases) {
            Py_BEGIN_ALLOW_THREADS
            raised = f->entry(words);
            Py_END_ALLOW_THREADS
        } else {
            raised = f->entry(words);
        }
    }
    while (num_views) PyBuffer_Release(views + --num_views);
    if (failed) return NULL;
    if (raised)
        return PyErr_Format(PyExc_IndexError, "%U() has left the bounds of an array; NUMBA_DISABLE_JIT=1 shows where",
                            f->name);
    if (f->result) return PyLong_FromLongLong(words[0]);
    Py_RETURN_NONE;
}

static void destroy(PyObject *self) {
    Function *f = (Function *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (int i = 0; i < f->num_params; i++) {
        Py_XDECREF(f->params[i].name);
        Py_XDECREF(f->params[i].dtype);
        Py_XDECREF(f->params[i].narrow);
        if (f->held[i].obj) PyBuffer_Release(f->held + i);
    }
    Py_XDECREF(f->name);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyType_Slot slots[] = {{Py_tp_dealloc, destroy}, {0, NULL}};
static PyType_Spec spec = {"banakil_env.core.jit._caller.Function", sizeof(Function), 0,
                           Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
static PyMethodDef called = {"entry", (PyCFunction)(void (*)(void))call, METH_FASTCALL, NULL};
static PyTypeObject *function_type;

static int read_param(Param *p, PyObject *given) {
    PyObject *name, *dtype = NULL, *narrow = NULL, *dims = NULL;
    int kind;
    if (PyTuple_Size(given) == 2) {
        if (!PyArg_ParseTuple(given, "UC", &name, &kind)) return -1;
    } else if (!PyArg_ParseTuple(given, "UCOnnpiO!O", &name, &kind, &dtype, &p->itemsize, &p->alignment, &p->written,
                                 &p->below, &PyTuple_Type, &dims, &narrow)) {
        return -1;
    }
    p->kind = (char)kind;
    p->name = Py_NewRef(name);
    p->dtype = Py_XNewRef(dtype);
    p->narrow = Py_XNewRef(narrow);
    p->ndim = dims ? (int)PyTuple_Size(dims) : 0;
    if (p->ndim > MOST_DIMS) {
        PyErr_SetString(PyExc_ValueError, "too many dimensions");
        return -1;
    }
    for (int i = 0; i < p->ndim; i++) p->dims[i] = PyLong_AsSsize_t(PyTuple_GetItem(dims, i));
    return PyErr_Occurred() ? -1 : 0;
}

static PyObject *function(PyObject *module, PyObject *args) {
    unsigned long long address;
    PyObject *name, *params, *held;
    int sizes, result, releases;
    if (!PyArg_ParseTuple(args, "KUO!ippO!", &address, &name, &PyTuple_Type, &params, &sizes, &result, &releases,
                          &PyTuple_Type, &held))
        return NULL;
    Py_ssize_t count = PyTuple_Size(params);
    if (count > MOST_WORDS || sizes > MOST_WORDS || sizes < 0 || PyTuple_Size(held) != count)
        return PyErr_Format(PyExc_ValueError, "%U has too many arguments", name);
    Function *f = (Function *)((allocfunc)PyType_GetSlot(function_type, Py_tp_alloc))(function_type, 0);
    if (!f) return NULL;
    f->entry = (int32_t(*)(int64_t *))(uintptr_t)address;
    f->name = Py_NewRef(name);
    f->num_sizes = sizes;
    f->result = result;
    f->releases = releases;
    f->binding = 1;
    int64_t *words = f->words + 1;
    for (int i = 0; i < sizes; i++) words[count + i] = -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        Param *p = f->params + i;
        PyObject *given = PyTuple_GetItem(held, i);
        f->num_params = (int)i + 1;
        if (read_param(p, PyTuple_GetItem(params, i)) < 0) goto failed;
        if (given == Py_None)
            f->open[f->num_open++] = (int)i;
        else if (p->kind != 'a' ? take_number(f, p, given, words + i)
                                : take_array(f, p, given, words + i, words + count, f->held + i))
            goto failed;
    }
    f->binding = 0;
    PyObject *made = PyCFunction_NewEx(&called, (PyObject *)f, NULL);
    Py_DECREF(f);
    return made;
failed:
    Py_DECREF(f);
    return NULL;
}

static PyMethodDef functions[] = {{"function", function, METH_VARARGS, NULL}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_caller", NULL, -1, functions, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__caller(void) {
    function_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return function_type ? PyModule_Create(&definition) : NULL;
}
